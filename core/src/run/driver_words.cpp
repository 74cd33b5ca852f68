// SPDX-License-Identifier: Apache-2.0
#include "run/driver_words.hpp"

#include <nlohmann/json.hpp>

#include "redact/pattern_set.hpp"
#include "spi/text.hpp"

namespace attache::run {
namespace {

void add_texts(const nlohmann::json& value, redact::PatternSet& patterns) {
  if (value.is_string()) {
    patterns.add(value.get_ref<const std::string&>(), "[value]");
  }
  if (value.is_structured()) {
    for (const nlohmann::json& member : value) {
      add_texts(member, patterns);
    }
  }
}

}  // namespace

errc code_of(attache_status status) noexcept {
  switch (status) {
    case ATTACHE_INVALID:
      return errc::input_invalid;
    case ATTACHE_UNSUPPORTED_KIND:
      return errc::input_kind_unsupported;
    case ATTACHE_UNSUPPORTED_MEDIA_TYPE:
      return errc::input_media_type_unsupported;
    case ATTACHE_UNSUPPORTED_MODE:
      return errc::input_mode_unsupported;
    case ATTACHE_TOO_LARGE:
      return errc::input_too_large;
    case ATTACHE_LAUNCH_FAILED:
      return errc::launch_failed;
    case ATTACHE_PROVIDER_REFUSED:
      return errc::provider_refused;
    case ATTACHE_PROVIDER_FAILED:
      return errc::provider_failed;
    case ATTACHE_RESUME_REJECTED:
      return errc::resume_rejected;
    case ATTACHE_CANCELLED:
      return errc::cancelled;
    case ATTACHE_TIMEOUT:
      return errc::timeout;
    case ATTACHE_CONTRACT:
      return errc::driver_contract;
    default:
      return errc::internal;
  }
}

std::string without_values(const std::string& config_json, std::string_view text) {
  redact::PatternSet patterns;
  add_texts(nlohmann::json::parse(config_json, nullptr, false), patterns);
  return spi::safe_line(redact::StreamRedactor::apply(patterns, text), spi::longest_error_text);
}

}  // namespace attache::run
