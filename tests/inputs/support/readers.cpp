// SPDX-License-Identifier: Apache-2.0
#include "support/readers.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace attache::testing {
namespace {

class CountingReader final : public input::Reader {
 public:
  CountingReader(Readers& readers, std::string content, OnRead on_read, std::size_t step, std::stop_token stop)
      : readers_(&readers),
        content_(std::move(content)),
        on_read_(std::move(on_read)),
        step_(step),
        stop_(std::move(stop)) {
    ++readers_->opened;
    ++readers_->open;
  }
  CountingReader(const CountingReader&) = delete;
  CountingReader& operator=(const CountingReader&) = delete;
  ~CountingReader() override { --readers_->open; }

  std::size_t read(std::span<std::byte> buffer) override {
    if (on_read_) on_read_(position_, stop_);
    const std::size_t count = std::min({buffer.size(), content_.size() - position_, step_});
    std::transform(content_.data() + position_, content_.data() + position_ + count, buffer.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    position_ += count;
    readers_->bytes += count;
    return count;
  }

 private:
  Readers* readers_;
  std::string content_;
  OnRead on_read_;
  std::size_t step_, position_ = 0;
  std::stop_token stop_;
};

}  // namespace

input::Opener opener(Readers& readers, std::string content, OnRead on_read, std::size_t step) {
  return [&readers, content = std::move(content), on_read = std::move(on_read), step](std::stop_token stop) {
    return std::make_unique<CountingReader>(readers, content, on_read, step, std::move(stop));
  };
}

void wait_for_stop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait(lock, stop, [] { return false; });
  throw std::runtime_error("stopped");
}

std::unique_ptr<input::Reader> TestFiles::open(std::string_view path, std::stop_token stop) const {
  const auto found = content.find(path);
  if (found == content.end()) throw std::out_of_range("no such entry: " + std::string(path));
  return std::make_unique<CountingReader>(*readers_, found->second, OnRead(), SIZE_MAX, std::move(stop));
}

}  // namespace attache::testing
