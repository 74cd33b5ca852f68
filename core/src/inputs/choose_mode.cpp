// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "inputs/provider_url.hpp"
#include "inputs/stages.hpp"

namespace attache::inputs {
namespace {

Fault unsupported(errc code, const char* reason, std::string sentence) {
  return {code, reason, std::move(sentence), std::nullopt, {}};
}

/// How far the modes of a kind come for one input.
struct Match {
  bool any_source = false;      ///< a mode for the source: that carries bytes, or that takes a URL
  bool any_usable = false;      ///< and that needs no inspection
  bool any_type = false;        ///< and that takes the type
  bool required_waits = false;  ///< the required mode is there, but needs an inspection
  bool homeless = false;        ///< a mode that would do needs a workspace, and there is none
  const ModeCapability* chosen = nullptr;
};

bool goes_to_workspace(const ModeCapability& mode, const Terms& terms) noexcept {
  return mode.mode == input::Mode::workspace_reference && terms.descriptor->placement == "workspace";
}

Match match(const Subject& subject, const Terms& terms) {
  const std::vector<ModeCapability>& modes = terms.capabilities->of(subject.spec->kind).modes;
  Match result;
  const std::optional<input::Mode> required = subject.spec->required;
  for (const ModeCapability& mode : modes) {
    // Only a URL source can be fetched by the provider.
    if ((mode.mode == input::Mode::provider_url) != (subject.url() != nullptr)) continue;
    result.any_source = true;
    if (mode.needs_inspection && !terms.inspected) {
      result.required_waits = result.required_waits || (mode.mode == required && mode.takes(subject.media_type));
      continue;
    }
    result.any_usable = true;
    if (!mode.takes(subject.media_type)) continue;
    result.any_type = true;
    if (required && mode.mode != *required) continue;
    if (goes_to_workspace(mode, terms) && terms.workspace.empty()) {
      result.homeless = true;
      continue;
    }
    const bool better =
        mode.mode == input::Mode::native && result.chosen != nullptr && result.chosen->mode != input::Mode::native;
    if (result.chosen == nullptr || better) result.chosen = &mode;
  }
  return result;
}

void refuse(const Subject& subject, const Terms& terms, const Match& found, Findings& findings) {
  const std::string& driver = terms.descriptor->id;
  const std::string_view word = input::to_string(subject.spec->kind);
  if (found.required_waits) {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "needs_inspection",
                                      fmt::format("the driver \"{}\" has not been inspected for the mode {}", driver,
                                                  input::to_string(*subject.spec->required))));
  } else if (!found.any_source && subject.url() != nullptr) {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "mode_unsupported",
                                      fmt::format("the driver \"{}\" takes no {} inputs as URLs", driver, word)));
  } else if (!found.any_source) {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "url_only",
                                      fmt::format("the driver \"{}\" takes {} inputs only as URLs", driver, word)));
  } else if (!found.any_usable) {
    findings.add(subject,
                 unsupported(errc::input_kind_unsupported, "needs_inspection",
                             fmt::format("the driver \"{}\" has not been inspected for {} inputs", driver, word)));
  } else if (!found.any_type && subject.media_type.empty()) {
    findings.add(subject, unsupported(errc::input_invalid, "media_type_unknown",
                                      "its media type is not given, and what a URL leads to is not looked at"));
  } else if (!found.any_type) {
    findings.add(subject,
                 unsupported(errc::input_media_type_unsupported, "media_type_unsupported",
                             fmt::format("the driver \"{}\" takes no {} in any mode", driver, subject.media_type)));
  } else if (found.homeless) {
    findings.add(
        subject,
        unsupported(
            errc::input_mode_unsupported, "workspace_missing",
            fmt::format("the driver \"{}\" reads it only inside of a workspace, and the agent has none", driver)));
  } else {
    findings.add(subject, unsupported(errc::input_mode_unsupported, "mode_unsupported",
                                      fmt::format("the driver \"{}\" does not take {} in the mode {}", driver,
                                                  subject.media_type.empty() ? word : subject.media_type,
                                                  input::to_string(*subject.spec->required))));
  }
}

}  // namespace

bool is_placed(const Subject& subject, const Terms& terms) noexcept {
  return subject.mode != nullptr && goes_to_workspace(*subject.mode, terms);
}

void choose_mode(Subject& subject, const Terms& terms, Findings& findings) {
  const Match found = match(subject, terms);
  subject.mode = found.chosen;
  if (found.chosen == nullptr) refuse(subject, terms, found, findings);
  if (subject.url() == nullptr || !found.any_source) return;
  for (Fault& fault : url_refusals(*subject.url(), terms)) findings.add(subject, std::move(fault));
}

}  // namespace attache::inputs
