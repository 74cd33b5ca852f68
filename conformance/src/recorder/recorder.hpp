// SPDX-License-Identifier: Apache-2.0
// A provider on the loopback interface that records what it is sent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wire/capture.hpp"

namespace attache::conformance {

/// An HTTP/1.1 server on 127.0.0.1. Bodies are streamed to files; values of headers that authorize are never stored.
/// Any thread.
class Recorder {
 public:
  /// Listens when it returns; `port` 0: any free one. Records go below `directory`. Throws std::invalid_argument for
  /// a dialect or scenario that is not for HTTP, std::runtime_error when it cannot listen.
  Recorder(const std::filesystem::path& directory, const Dialect& dialect, const std::string& scenario,
           std::uint16_t port = 0);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  /// Ends every connection and waits for it.
  ~Recorder();

  std::uint16_t port() const noexcept;
  std::string base_url() const;  ///< http://127.0.0.1:<port>
  /// One for each request, in the order in which their headers were complete.
  std::vector<Capture> captures() const;
  std::size_t connections() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attache::conformance
