// SPDX-License-Identifier: Apache-2.0
// What can go wrong, as types. Every failure of the host API is an attache::Error or one of its subclasses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include <attache/api.hpp>
#include <attache/input_kind.hpp>

namespace attache {

/// The class of a failure. Values never change.
/// \since 0.1
enum class errc {
  input_invalid = 1,  ///< bad kind, name, media type, size expectation, source, or bytes that contradict the type
  input_kind_unsupported = 2,        ///< the driver has no mode for this kind
  input_media_type_unsupported = 3,  ///< no mode of this kind takes this type
  input_mode_unsupported = 4,        ///< the required mode is not available for this kind and type
  input_too_large = 5,               ///< count, per-input, total or provider limit
  input_digest_mismatch = 6,         ///< SHA-256 differs from the expectation
  input_materialization_failed = 7,  ///< open, read, write, disk full, source changed
  input_dropped = 8,  ///< only in a RunError: delivered, but the provider did not take the input (exactly)

  driver_not_found = 20,     ///< no driver with this id in the directories searched
  driver_refused = 21,       ///< a file was found but not loaded; see LoadReport
  config_invalid = 22,       ///< the driver's configuration does not satisfy its schema, or the driver refused it
  option_unsupported = 23,   ///< a run option needs a feature the driver does not declare
  agent_closed = 24,         ///< the agent was closed before the run began
  thread_store = 25,         ///< the thread store could not be read or written
  thread_busy = 26,          ///< another turn of this thread is running
  thread_unknown = 27,       ///< resume only, and the store has no such thread
  thread_incompatible = 28,  ///< the thread was made with another driver, config or workspace
  thread_exists = 29,        ///< a fork's key is taken

  launch_failed = 40,     ///< the provider could not be started or reached; nothing was delivered
  provider_refused = 41,  ///< the provider said no; permanent for this request
  provider_failed = 42,   ///< the provider died, broke its protocol, or failed in mid-turn
  resume_rejected = 43,   ///< the provider does not have the session of the checkpoint
  cancelled = 44,
  timeout = 45,          ///< a deadline or the idle limit passed
  driver_contract = 46,  ///< the driver broke the SPI
  internal = 47,
};

/// \since 0.1
ATTACHE_API const std::error_category& attache_category() noexcept;
/// \since 0.1
ATTACHE_API std::error_code make_error_code(errc code) noexcept;

/// The code as it is spelled here, e.g. "input_too_large"; "unknown" for a value that is none.
/// \since 0.1
ATTACHE_API std::string_view to_string(errc code) noexcept;

/// The base of every failure. The text is one safe sentence: no path, content, credential or provider payload.
/// Immutable, may be read from any thread.
/// \since 0.1
class ATTACHE_API Error : public std::runtime_error {
 public:
  Error(errc code, std::string reason, const std::string& text);
  errc code() const noexcept { return code_; }
  std::error_code error_code() const noexcept { return make_error_code(code_); }
  /// A stable slug ([a-z0-9_]+) that names the rule, e.g. "count_limit".
  const std::string& reason() const noexcept { return reason_; }

 private:
  errc code_;
  std::string reason_;
};

/// Where an InputError points. Unset fields are not known or do not apply.
/// \since 0.1
struct InputErrorFields {
  std::optional<std::size_t> index;  ///< position in argument order over all with_inputs; unset: the set as a whole
  std::optional<input::Kind> kind;
  std::string media_type;              ///< resolved, normalized
  std::string driver;                  ///< the driver's id
  std::optional<std::uint64_t> limit;  ///< the limit that was passed; its unit follows from the reason
  std::string limit_owner;             ///< "host" or "driver", with limit
  std::string alternative;             ///< the driver's own sentence on what to send instead
};

/// An input was refused. Raised before any provider process or connection exists (only input_dropped comes
/// otherwise, and then inside a RunError). Immutable, any thread.
/// \since 0.1
class ATTACHE_API InputError : public Error {
 public:
  InputError(errc code, std::string reason, const std::string& text, InputErrorFields fields);
  std::optional<std::size_t> index() const noexcept { return fields_.index; }
  std::optional<input::Kind> kind() const noexcept { return fields_.kind; }
  const std::string& media_type() const noexcept { return fields_.media_type; }
  const std::string& driver() const noexcept { return fields_.driver; }
  std::optional<std::uint64_t> limit() const noexcept { return fields_.limit; }
  const std::string& limit_owner() const noexcept { return fields_.limit_owner; }
  const std::string& alternative() const noexcept { return fields_.alternative; }

 private:
  InputErrorFields fields_;
};

/// True when nothing can have reached the provider, so that correcting the call and running it again sends
/// nothing twice.
/// \since 0.1
ATTACHE_API bool retry_safe(const Error& error) noexcept;

}  // namespace attache

template <>
struct std::is_error_code_enum<attache::errc> : std::true_type {};
