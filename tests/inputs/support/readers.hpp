// SPDX-License-Identifier: Apache-2.0
// Sources of a host's own, that count what is done with them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include <attache/source.hpp>

namespace attache::testing {

/// What the readers of a test did.
struct Readers {
  std::atomic<int> opened{0}, open{0};
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<bool> stop_seen{false};
};

/// Called before each read, with what was read so far. May throw, or wait.
using OnRead = std::function<void(std::uint64_t position, const std::stop_token& stop)>;

/// An opener of `content`, which it copies. At most `step` bytes come at once.
input::Opener opener(Readers& readers, std::string content, OnRead on_read = {}, std::size_t step = SIZE_MAX);

/// Waits until a stop is requested, then throws as a host's reader would.
void wait_for_stop(const std::stop_token& stop);

class TestFiles final : public input::FileSystem {
 public:
  explicit TestFiles(Readers& readers) : readers_(&readers) {}
  std::unique_ptr<input::Reader> open(std::string_view path, std::stop_token stop) const override;
  std::map<std::string, std::string, std::less<>> content;

 private:
  Readers* readers_;
};

}  // namespace attache::testing
