// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <attache/result.hpp>

namespace attache {

RunError::RunError(errc code, std::string reason, const std::string& text, Result result,
                   std::optional<InputErrorFields> input)
    : Error(code, std::move(reason), text), result_(std::move(result)), input_(std::move(input)) {}

bool retry_safe(const Error& error) noexcept {
  if (const auto* run = dynamic_cast<const RunError*>(&error)) {
    return run->delivery() == Delivery::not_started || run->delivery() == Delivery::not_delivered;
  }
  // A plain Error means that the driver was not entered. These three can only come from a provider.
  return error.code() != errc::input_dropped && error.code() != errc::provider_refused &&
         error.code() != errc::provider_failed;
}

}  // namespace attache
