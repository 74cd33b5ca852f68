// SPDX-License-Identifier: Apache-2.0
// The smallest host there is: it offers a driver whatever a check wants and writes down all it says.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <attache/sdk/spi.h>

namespace attache::conformance {

/// A driver broke the SPI before a call could be judged. The text is safe to publish.
class HarnessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SpiEvent {
  std::uint32_t type = 0, code = 0;
  std::string id, name, text, json, media_type;
  std::uint64_t size = 0;
  std::optional<std::array<std::uint8_t, 32>> sha256;
};

struct SpiError {
  attache_status status = ATTACHE_OK;
  std::int64_t index = -1;
  std::uint64_t limit = 0;
  std::string reason, text, request_id;
};

/// Everything a driver said through the host table during one run.
struct SpiRecord {
  attache_status status = ATTACHE_INTERNAL;  ///< what run() returned
  std::vector<SpiEvent> events;
  std::vector<attache_delivery> delivery;
  std::vector<std::string> checkpoints;
  std::optional<SpiError> error;
  std::vector<std::string> violations;  ///< calls the host refused
  std::int64_t references = 0;          ///< retains without a release when run() returned and after the wait for them

  /// Every text the driver handed over, for searching.
  std::string all_texts() const;
  attache_delivery last_delivery() const noexcept {
    return delivery.empty() ? attache_delivery{ATTACHE_NOT_STARTED} : delivery.back();
  }
};

/// The word of a status: "unsupported_kind".
std::string_view status_word(attache_status status) noexcept;
std::string_view delivery_word(attache_delivery state) noexcept;

/// A plugin opened in this process, without core. One for a process.
class SpiDriver {
 public:
  /// now + local. Throws HarnessError with what is wrong about file, entry or table.
  explicit SpiDriver(const std::filesystem::path& plugin);
  const attache_driver& table() const noexcept { return *table_; }
  /// What describe() puts. Throws HarnessError.
  std::string describe() const;

 private:
  const attache_driver* table_ = nullptr;
};

/// Destroyed with the object.
class SpiInstance {
 public:
  /// Throws HarnessError.
  SpiInstance(const SpiDriver& driver, const std::string& config);
  SpiInstance(const SpiInstance&) = delete;
  SpiInstance& operator=(const SpiInstance&) = delete;
  ~SpiInstance() { destroy(); }
  void destroy() noexcept;
  /// Empty: the driver does not provide it. Throws HarnessError.
  std::string capabilities() const;
  /// One turn, on the calling thread; waits for references up to ten seconds.
  SpiRecord run(const attache_request& request) const;

 private:
  const attache_driver& table_;
  attache_instance* instance_ = nullptr;
};

}  // namespace attache::conformance
