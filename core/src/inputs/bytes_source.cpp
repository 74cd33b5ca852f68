// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "inputs/source.hpp"

namespace attache::inputs {
namespace {

class BytesSource final : public Source {
 public:
  explicit BytesSource(std::span<const std::byte> bytes) noexcept : rest_(bytes), size_(bytes.size()) {}
  std::optional<std::uint64_t> size() const noexcept override { return size_; }
  std::string name() const override { return {}; }
  std::size_t read(std::span<std::byte> out) override {
    const std::size_t count = std::min(rest_.size(), out.size());
    std::copy_n(rest_.begin(), count, out.begin());
    rest_ = rest_.subspan(count);
    return count;
  }
  bool unchanged() const noexcept override { return true; }

 private:
  std::span<const std::byte> rest_;
  std::uint64_t size_;
};

}  // namespace

std::unique_ptr<Source> open_bytes(std::span<const std::byte> bytes) {
  return std::make_unique<BytesSource>(bytes);
}

}  // namespace attache::inputs
