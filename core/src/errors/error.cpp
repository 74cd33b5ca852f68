// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <attache/error.hpp>

namespace attache {
namespace {

struct Row {
  errc code;
  std::string_view word;
  const char* text;
};
constexpr std::array kRows{
    Row{errc::input_invalid, "input_invalid", "the input is invalid"},
    Row{errc::input_kind_unsupported, "input_kind_unsupported", "the driver takes no input of this kind"},
    Row{errc::input_media_type_unsupported, "input_media_type_unsupported",
        "the driver takes no input of this media type"},
    Row{errc::input_mode_unsupported, "input_mode_unsupported",
        "the driver does not deliver this input in the required mode"},
    Row{errc::input_too_large, "input_too_large", "the input is over a limit"},
    Row{errc::input_digest_mismatch, "input_digest_mismatch", "the input's SHA-256 differs from the expectation"},
    Row{errc::input_materialization_failed, "input_materialization_failed",
        "the input could not be copied into the run directory"},
    Row{errc::input_dropped, "input_dropped", "the provider did not take the input as it was sent"},
    Row{errc::driver_not_found, "driver_not_found", "no driver has this id"},
    Row{errc::driver_refused, "driver_refused", "the driver was not loaded"},
    Row{errc::config_invalid, "config_invalid", "the driver's configuration is invalid"},
    Row{errc::option_unsupported, "option_unsupported", "the driver does not support this option"},
    Row{errc::agent_closed, "agent_closed", "the agent is closed"},
    Row{errc::thread_store, "thread_store", "the thread store could not be read or written"},
    Row{errc::thread_busy, "thread_busy", "another turn of this thread is running"},
    Row{errc::thread_unknown, "thread_unknown", "the store has no such thread"},
    Row{errc::thread_incompatible, "thread_incompatible",
        "the thread was made with another driver, config or workspace"},
    Row{errc::thread_exists, "thread_exists", "the store already has a thread with this key"},
    Row{errc::launch_failed, "launch_failed", "the provider could not be started or reached"},
    Row{errc::provider_refused, "provider_refused", "the provider refused the request"},
    Row{errc::provider_failed, "provider_failed", "the provider failed"},
    Row{errc::resume_rejected, "resume_rejected", "the provider does not have the session to resume"},
    Row{errc::cancelled, "cancelled", "the run was cancelled"},
    Row{errc::timeout, "timeout", "the run took too long"},
    Row{errc::driver_contract, "driver_contract", "the driver broke the SPI"},
    Row{errc::internal, "internal", "internal error"},
};

const Row* row_of(errc code) noexcept {
  const auto* row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& one) { return one.code == code; });
  return row == kRows.end() ? nullptr : row;
}

class Category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "attache"; }
  std::string message(int value) const override {
    const Row* row = row_of(static_cast<errc>(value));
    return row == nullptr ? "unknown error" : row->text;
  }
};

}  // namespace

std::string_view to_string(errc code) noexcept {
  const Row* row = row_of(code);
  return row == nullptr ? "unknown" : row->word;
}

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
