// SPDX-License-Identifier: Apache-2.0
// Where the bytes of an input can come from, beside paths and memory.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>

#include <attache/api.hpp>

namespace attache::input {

/// The bytes of one source, once, from the start. Used and destroyed by one thread at a time.
/// \since 0.2
class ATTACHE_API Reader {
 public:
  virtual ~Reader() = default;
  /// Fills at most `buffer.size()` bytes and returns how many; 0 is the end. May block; returns or throws soon after
  /// the stop token of its opening was stopped. What it throws becomes input_materialization_failed (read_failed);
  /// its text goes to the diagnostic hook only.
  virtual std::size_t read(std::span<std::byte> buffer) = 0;
};

/// A place with named files: an archive, an object store, a test double. Any thread.
/// \since 0.2
class ATTACHE_API FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// `path` is relative, `/`-separated, without empty, `.` and `..` components. Never returns nullptr; throws when
  /// the file cannot be opened, which becomes input_materialization_failed (open_failed).
  virtual std::unique_ptr<Reader> open(std::string_view path, std::stop_token stop) const = 0;
};

/// Opens a source. Called at most once for one logical run, on a thread of core's, also when a launch is retried.
/// Returns nullptr or throws when it cannot: input_materialization_failed (open_failed).
/// \since 0.2
using Opener = std::function<std::unique_ptr<Reader>(std::stop_token)>;

}  // namespace attache::input
