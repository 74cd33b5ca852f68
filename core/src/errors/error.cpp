// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <attache/error.hpp>

namespace attache {
namespace {

const char* describe(errc code) noexcept {
  switch (code) {
    case errc::input_invalid:
      return "the input is invalid";
    case errc::input_kind_unsupported:
      return "the driver takes no input of this kind";
    case errc::input_media_type_unsupported:
      return "the driver takes no input of this media type";
    case errc::input_mode_unsupported:
      return "the driver does not deliver this input in the required mode";
    case errc::input_too_large:
      return "the input is over a limit";
    case errc::input_digest_mismatch:
      return "the input's SHA-256 differs from the expectation";
    case errc::input_materialization_failed:
      return "the input could not be copied into the run directory";
    case errc::input_dropped:
      return "the provider did not take the input as it was sent";
    case errc::driver_not_found:
      return "no driver has this id";
    case errc::driver_refused:
      return "the driver was not loaded";
    case errc::config_invalid:
      return "the driver's configuration is invalid";
    case errc::option_unsupported:
      return "the driver does not support this option";
    case errc::thread_store:
      return "the thread store could not be read or written";
    case errc::thread_busy:
      return "another turn of this thread is running";
    case errc::thread_unknown:
      return "the store has no such thread";
    case errc::thread_incompatible:
      return "the thread was made with another driver, config or workspace";
    case errc::thread_exists:
      return "the store already has a thread with this key";
    case errc::agent_closed:
      return "the agent is closed";
    case errc::launch_failed:
      return "the provider could not be started or reached";
    case errc::provider_refused:
      return "the provider refused the request";
    case errc::provider_failed:
      return "the provider failed";
    case errc::resume_rejected:
      return "the provider does not have the session to resume";
    case errc::cancelled:
      return "the run was cancelled";
    case errc::timeout:
      return "the run took too long";
    case errc::driver_contract:
      return "the driver broke the SPI";
    case errc::internal:
      return "internal error";
  }
  return "unknown error";
}

class Category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "attache"; }
  std::string message(int value) const override { return describe(static_cast<errc>(value)); }
};

}  // namespace

const std::error_category& attache_category() noexcept {
  static const Category category;
  return category;
}

std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), attache_category()};
}

Error::Error(errc code, std::string reason, const std::string& text)
    : std::runtime_error(text), code_(code), reason_(std::move(reason)) {}

InputError::InputError(errc code, std::string reason, const std::string& text, InputErrorFields fields)
    : Error(code, std::move(reason), text), fields_(std::move(fields)) {}

}  // namespace attache
