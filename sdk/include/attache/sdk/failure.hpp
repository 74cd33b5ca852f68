// SPDX-License-Identifier: Apache-2.0
// How a driver says that a call failed.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include <attache/sdk/spi.h>

namespace attache::sdk {

/// The statuses of the SPI; spi.h says what each one means.
/// \since 0.1
enum class Status : attache_status {
  ok = ATTACHE_OK,
  invalid = ATTACHE_INVALID,
  unsupported_kind = ATTACHE_UNSUPPORTED_KIND,
  unsupported_media_type = ATTACHE_UNSUPPORTED_MEDIA_TYPE,
  unsupported_mode = ATTACHE_UNSUPPORTED_MODE,
  too_large = ATTACHE_TOO_LARGE,
  launch_failed = ATTACHE_LAUNCH_FAILED,
  provider_refused = ATTACHE_PROVIDER_REFUSED,
  provider_failed = ATTACHE_PROVIDER_FAILED,
  resume_rejected = ATTACHE_RESUME_REJECTED,
  cancelled = ATTACHE_CANCELLED,
  timeout = ATTACHE_TIMEOUT,
  contract = ATTACHE_CONTRACT,
  internal = ATTACHE_INTERNAL,
};

/// The one exception that carries its meaning to the host: `throw Failure(Status::invalid, "empty_prompt", "…")`.
///
/// `reason` is a stable slug ([a-z0-9_]+), `text` one sentence of the driver's own: no path, no content, no
/// credential, nothing that the provider said. Every other exception reaches the host as `internal`, without its
/// message.
/// \since 0.1
class Failure : public std::exception {
 public:
  Failure(Status status, std::string reason, std::string text)
      : status_(status), reason_(std::move(reason)), text_(std::move(text)) {}

  /// The input it is about, by its index.
  Failure& input(std::uint32_t index) noexcept { return input_ = index, *this; }
  /// The limit that was passed.
  Failure& limit(std::uint64_t value) noexcept { return limit_ = value, *this; }
  /// HTTP status or exit code.
  Failure& provider_code(std::uint32_t code) noexcept { return provider_code_ = code, *this; }
  /// The provider's own id for the request.
  Failure& request_id(std::string id) noexcept { return request_id_ = std::move(id), *this; }

  Status status() const noexcept { return status_; }
  const std::string& reason() const noexcept { return reason_; }
  const std::string& text() const noexcept { return text_; }
  const char* what() const noexcept override { return text_.c_str(); }

  /// The SPI's form of it; points into this object.
  attache_error error() const noexcept {
    const auto span = [](const std::string& s) { return attache_span{s.empty() ? nullptr : s.data(), s.size()}; };
    attache_error out{};
    out.struct_size = sizeof out;
    out.status = static_cast<attache_status>(status_);
    out.provider_code = provider_code_;
    out.input_index = input_;
    out.limit = limit_;
    out.reason = span(reason_);
    out.text = span(text_);
    out.request_id = span(request_id_);
    return out;
  }

 private:
  Status status_;
  std::string reason_;
  std::string text_;
  std::string request_id_;
  std::int64_t input_ = -1;
  std::uint64_t limit_ = 0;
  std::uint32_t provider_code_ = 0;
};

}  // namespace attache::sdk
