// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "inputs/display_name.hpp"
#include "inputs/media_type.hpp"
#include "inputs/stages.hpp"

namespace attache::inputs {
namespace {

Fault invalid(const char* reason, const char* sentence) {
  return {errc::input_invalid, reason, sentence, std::nullopt, {}};
}

void read_prefix(Subject& subject) {
  // A source that says that it is empty may be wrong.
  const std::uint64_t size = subject.source->size().value_or(0);
  const auto wanted = size == 0 ? peek_bytes : static_cast<std::size_t>(std::min<std::uint64_t>(size, peek_bytes));
  subject.prefix.resize(wanted);
  std::size_t filled = 0;
  while (filled < wanted) {
    check_stop(subject.stop.get_token());
    const std::size_t count = subject.source->read(std::span(subject.prefix).subspan(filled));
    if (count == 0) break;
    filled += count;
  }
  subject.prefix.resize(filled);
  subject.prefix.shrink_to_fit();
  // Less than there was when it was opened: what it is cannot be told from that.
  if (filled < std::min<std::uint64_t>(subject.source->size().value_or(0), peek_bytes)) {
    throw FaultError(errc::input_materialization_failed, "source_changed", "it changed while it was read");
  }
}

/// A container that the name calls by one of its own types, such as an office document in a ZIP file.
bool narrows(std::string_view from_name, Format format) noexcept {
  return format == Format::zip && stands_for(from_name, format);
}

std::string resolved_type(const Subject& subject, std::string_view source_name) {
  std::string_view from_name = media_type_of_name(subject.spec->name ? *subject.spec->name : source_name);
  if (from_name.empty()) from_name = media_type_of_name(source_name);
  const std::string_view from_content = media_type_of(subject.format, subject.spec->kind);
  if (!from_content.empty()) return std::string(from_content);
  if (narrows(from_name, subject.format)) return std::string(from_name);
  if (subject.format == Format::zip) return "application/zip";
  return std::string(from_name);
}

void resolve_name(Subject& subject, std::string_view source_name) {
  if (subject.name.empty()) subject.name = cleaned_name(source_name);
  if (subject.name.empty())
    subject.name = fmt::format("input-{}{}", subject.index + 1, extension_of(subject.media_type));
}

/// False: there is a finding.
bool open_and_read(Subject& subject, Findings& findings) {
  try {
    check_stop(subject.stop.get_token());
    subject.source = open_source(*subject.spec, subject.stop.get_token());
    read_prefix(subject);
    return true;
  } catch (const FaultError& error) {
    subject.source.reset();
    // A source of the host fails because it was told to stop.
    check_stop(subject.stop.get_token());
    findings.add(subject, error.fault());
    return false;
  }
}

}  // namespace

void peek(Subject& subject, Findings& findings) {
  if (subject.url() != nullptr) return resolve_unopened(subject);
  if (!open_and_read(subject, findings)) return;
  subject.size = subject.source->size();
  // The peek saw the end.
  if (!subject.size && subject.prefix.size() < peek_bytes) subject.size = subject.prefix.size();
  if (subject.prefix.empty() && subject.size.value_or(0) == 0) {
    findings.add(subject, invalid("empty", "it is empty"));
    subject.size = 0;
    return;
  }
  const std::string source_name = subject.source->name();
  subject.format = detect(subject.prefix);
  // A malformed type is reported as such and not replaced by a guess.
  const bool malformed = !normalize_media_type(subject.spec->media_type);
  if (subject.media_type.empty() && !malformed) subject.media_type = resolved_type(subject, source_name);
  resolve_name(subject, source_name);
  if (subject.media_type.empty()) {
    if (!malformed) {
      findings.add(subject,
                   invalid("media_type_unknown", "its media type is not given, and neither content nor name tell"));
    }
    return;
  }
  if (contradicts(subject.media_type, subject.format)) {
    findings.add(subject, invalid("media_type_mismatch", "its content is not of its media type"));
    return;
  }
  if (stands_for(subject.media_type, subject.format)) {
    subject.pixels = pixel_size(subject.format, MemoryView(subject.prefix));
  }
}

void resolve_unopened(Subject& subject) {
  const bool absent = normalize_media_type(subject.spec->media_type) == std::string();
  if (absent && subject.spec->name) subject.media_type = media_type_of_name(*subject.spec->name);
  resolve_name(subject, {});
}

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error(errc::cancelled, "cancelled", "the run was cancelled before it was launched");
}

}  // namespace attache::inputs
