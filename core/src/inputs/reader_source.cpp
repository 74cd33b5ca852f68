// SPDX-License-Identifier: Apache-2.0
#include "inputs/reader_source.hpp"

#include <utility>

#include "inputs/fault.hpp"

namespace attache::inputs {
namespace {

/// What the exception in flight says.
std::string current_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

FaultError open_failed(std::string detail) {
  return {errc::input_materialization_failed, "open_failed", "it cannot be opened", std::move(detail)};
}

FaultError read_failed(std::string detail) {
  return {errc::input_materialization_failed, "read_failed", "reading it failed", std::move(detail)};
}

class ReaderSource final : public Source {
 public:
  ReaderSource(std::unique_ptr<input::Reader> reader, std::string name)
      : reader_(std::move(reader)), name_(std::move(name)) {}

  std::optional<std::uint64_t> size() const noexcept override { return std::nullopt; }
  std::string name() const override { return name_; }
  bool unchanged() const noexcept override { return true; }

  std::size_t read(std::span<std::byte> out) override {
    std::size_t count = 0;
    try {
      count = reader_->read(out);
    } catch (...) {
      throw read_failed(current_text());
    }
    if (count > out.size()) throw read_failed("the reader claims more bytes than its buffer holds");
    return count;
  }

 private:
  std::unique_ptr<input::Reader> reader_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Source> open_reader(const std::function<std::unique_ptr<input::Reader>()>& open, std::string name) {
  std::unique_ptr<input::Reader> reader;
  try {
    reader = open();
  } catch (...) {
    throw open_failed(current_text());
  }
  if (!reader) throw open_failed("no reader was given");
  return std::make_unique<ReaderSource>(std::move(reader), std::move(name));
}

}  // namespace attache::inputs
