// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "history/url.hpp"
#include "inputs/display_name.hpp"
#include "inputs/media_type.hpp"
#include "inputs/stages.hpp"

namespace attache::inputs {
namespace {

Fault invalid(const char* reason, const char* sentence) {
  return {errc::input_invalid, reason, sentence, std::nullopt, {}};
}

std::optional<Fault> url_fault(const input::InputAccess::State& spec, const std::string& url) {
  const std::string_view fault = history::url_fault(url);
  if (fault == "url_user_info") return invalid("url_user_info", "its URL holds user info");
  if (!fault.empty()) return invalid("url_malformed", "its URL is malformed");
  if (spec.size || spec.sha256) {
    return invalid("url_expectation", "size and SHA-256 cannot be expected of what the provider fetches");
  }
  return std::nullopt;
}

std::optional<Fault> source_fault(const input::InputAccess::State& spec) {
  if (const auto* url = std::get_if<input::Url>(&spec.source)) return url_fault(spec, url->text);
  if (const auto* open = std::get_if<input::Opener>(&spec.source)) {
    if (!*open) return invalid("source_missing", "it has no opener");
  }
  if (const auto* file = std::get_if<input::FileOf>(&spec.source)) {
    if (!file->files) return invalid("source_missing", "it has no file system");
    if (!is_path_in_file_system(file->path)) {
      return invalid("path_invalid", "its path is not relative, or has empty, \".\" or \"..\" components");
    }
  }
  return std::nullopt;
}

void check_source(Subject& subject, Findings& findings) {
  auto fault = source_fault(*subject.spec);
  if (!fault) return;
  subject.sound = false;
  findings.add(subject, std::move(*fault));
}

}  // namespace

void declare(Subject& subject, const Terms& terms, Findings& findings) {
  const input::InputAccess::State& spec = *subject.spec;
  if (input::to_string(spec.kind) == "unknown") {
    findings.add(subject, invalid("kind_invalid", "its kind is not one there is"));
    return;
  }
  subject.served = !terms.capabilities->of(spec.kind).modes.empty();
  if (!subject.served) {
    findings.add(subject,
                 {errc::input_kind_unsupported,
                  "kind_unsupported",
                  fmt::format("the driver \"{}\" takes no {} input", terms.descriptor->id, input::to_string(spec.kind)),
                  std::nullopt,
                  {}});
  }
  check_source(subject, findings);
  if (spec.name) {
    if (auto name = declared_name(*spec.name)) {
      subject.name = std::move(*name);
    } else {
      findings.add(subject, invalid("name_invalid", "its name is not a plain file name"));
    }
  }
  if (auto media_type = normalize_media_type(spec.media_type)) {
    subject.media_type = std::move(*media_type);
  } else {
    findings.add(subject, invalid("media_type_malformed", "its media type is malformed"));
  }
  if (spec.required && input::to_string(*spec.required) == "unknown") {
    findings.add(subject, invalid("mode_invalid", "its required mode is not one there is"));
  }
}

}  // namespace attache::inputs
