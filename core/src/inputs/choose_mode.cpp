// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "inputs/stages.hpp"

namespace attache::inputs {
namespace {

Fault unsupported(errc code, const char* reason, std::string sentence) {
  return {code, reason, std::move(sentence), std::nullopt, {}};
}

/// How far the modes of a kind come for one input.
struct Match {
  bool any_source = false;      ///< a mode that carries bytes
  bool any_usable = false;      ///< and that needs no inspection
  bool any_type = false;        ///< and that takes the type
  bool required_waits = false;  ///< the required mode is there, but needs an inspection
  const ModeCapability* chosen = nullptr;
};

Match match(const Subject& subject, const std::vector<ModeCapability>& modes) {
  Match result;
  const std::optional<input::Mode> required = subject.spec->required;
  for (const ModeCapability& mode : modes) {
    // Only a URL source can be fetched by the provider.
    if (mode.mode == input::Mode::provider_url) continue;
    result.any_source = true;
    if (mode.needs_inspection) {
      result.required_waits = result.required_waits || (mode.mode == required && mode.takes(subject.media_type));
      continue;
    }
    result.any_usable = true;
    if (!mode.takes(subject.media_type)) continue;
    result.any_type = true;
    if (required && mode.mode != *required) continue;
    const bool better =
        mode.mode == input::Mode::native && result.chosen != nullptr && result.chosen->mode != input::Mode::native;
    if (result.chosen == nullptr || better) result.chosen = &mode;
  }
  return result;
}

}  // namespace

void choose_mode(Subject& subject, const Terms& terms, Findings& findings) {
  const auto& kind = terms.capabilities->of(subject.spec->kind);
  const std::string& driver = terms.descriptor->id;
  const std::string_view word = input::to_string(subject.spec->kind);
  const Match found = match(subject, kind.modes);
  subject.mode = found.chosen;
  if (found.chosen != nullptr) return;
  if (found.required_waits) {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "needs_inspection",
                                      fmt::format("the driver \"{}\" has not been inspected for the mode {}", driver,
                                                  input::to_string(*subject.spec->required))));
  } else if (!found.any_source) {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "url_only",
                                      fmt::format("the driver \"{}\" takes {} inputs only as URLs", driver, word)));
  } else if (!found.any_usable) {
    findings.add(subject,
                 unsupported(errc::input_kind_unsupported, "needs_inspection",
                             fmt::format("the driver \"{}\" has not been inspected for {} inputs", driver, word)));
  } else if (!found.any_type) {
    findings.add(subject,
                 unsupported(errc::input_media_type_unsupported, "media_type_unsupported",
                             fmt::format("the driver \"{}\" takes no {} in any mode", driver, subject.media_type)));
  } else {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "mode_unsupported",
                                      fmt::format("the driver \"{}\" does not take {} in the mode {}", driver,
                                                  subject.media_type, input::to_string(*subject.spec->required))));
  }
}

}  // namespace attache::inputs
