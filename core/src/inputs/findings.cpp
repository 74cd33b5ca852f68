// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "inputs/subject.hpp"

namespace attache::inputs {
namespace {

/// Whether what the driver takes instead is of use to whoever reads the error.
bool wants_alternative(errc code) noexcept {
  return code == errc::input_kind_unsupported || code == errc::input_media_type_unsupported ||
         code == errc::input_mode_unsupported || code == errc::input_too_large;
}

std::string text_of(const InputErrorFields& fields, const Fault& fault) {
  std::string place = fields.index ? fmt::format("input {}", *fields.index + 1) : "the inputs together";
  if (fields.kind) {
    place += fields.media_type.empty() ? fmt::format(" ({})", input::to_string(*fields.kind))
                                       : fmt::format(" ({}, {})", input::to_string(*fields.kind), fields.media_type);
  }
  std::string text = fmt::format("{}: {}", place, fault.sentence);
  if (fault.limit) text += fmt::format(" (limit of the {}: {})", fault.limit_owner, *fault.limit);
  if (!fields.alternative.empty()) text += fmt::format("; {}", fields.alternative);
  return text;
}

Finding finding(const Terms& terms, InputErrorFields fields, Fault fault) {
  if (terms.descriptor != nullptr) fields.driver = terms.descriptor->id;
  fields.limit = fault.limit;
  fields.limit_owner = fault.limit_owner;
  if (fields.kind && terms.capabilities != nullptr && wants_alternative(fault.code) && fault.limit_owner != "host") {
    fields.alternative = terms.capabilities->of(*fields.kind).alternative;
  }
  std::string text = text_of(fields, fault);
  return {std::move(fields), std::move(fault), std::move(text)};
}

const char* place_of(const std::string& reason) noexcept {
  if (reason == "read_failed") return "read";
  return reason == "write_failed" || reason == "disk_full" || reason.starts_with("run_base") ||
                 reason.starts_with("workspace_")
             ? "write"
             : "open";
}

void diagnose(const Terms& terms, const Finding& found) noexcept {
  if (!terms.diagnostics || found.fault.detail.empty()) return;
  try {
    terms.diagnostics({place_of(found.fault.reason), found.fields.index, found.fault.detail});
  } catch (...) {
    // The hook must not throw; what it does takes no part in the run.
    return;
  }
}

}  // namespace

void Findings::add(const Subject& subject, Fault fault) {
  InputErrorFields fields;
  fields.index = subject.index;
  if (fault.reason != "kind_invalid") fields.kind = subject.spec->kind;
  fields.media_type = subject.media_type;
  all_.push_back(finding(*terms_, std::move(fields), std::move(fault)));
  diagnose(*terms_, all_.back());
}

void Findings::add_set(Fault fault, std::optional<input::Kind> kind) {
  InputErrorFields fields;
  fields.kind = kind;
  all_.push_back(finding(*terms_, std::move(fields), std::move(fault)));
  diagnose(*terms_, all_.back());
}

bool Findings::about(std::size_t index) const noexcept {
  return std::any_of(all_.begin(), all_.end(), [&](const Finding& found) { return found.fields.index == index; });
}

void Findings::raise() const {
  if (all_.empty()) return;
  const Finding& first = all_.front();
  throw InputError(first.fault.code, first.fault.reason, first.text, first.fields);
}

}  // namespace attache::inputs
