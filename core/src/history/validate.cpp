// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "history/rules.hpp"
#include "history/url.hpp"
#include "inputs/media_type.hpp"
#include "inputs/utf8.hpp"

namespace attache::history {
namespace {

using input::Kind;

bool is_known(Kind kind) {
  return kind == Kind::image || kind == Kind::file || kind == Kind::audio || kind == Kind::video;
}

bool is_known(Role role) {
  return role == Role::user || role == Role::assistant || role == Role::system || role == Role::tool;
}

std::optional<Fault> media_type_fault(const Part& part) {
  if (part.media_type.empty()) {
    if (part.url) return std::nullopt;
    return Fault{"media_type_missing", "a part with data or a reference needs a media type"};
  }
  if (inputs::normalize_media_type(part.media_type)) return std::nullopt;
  return Fault{"media_type_malformed", "the media type is malformed"};
}

}  // namespace

std::optional<Fault> fault_of(const Part& part) {
  if (!is_known(part.kind)) return Fault{"kind_invalid", "the kind of a part is not known"};
  const int contents = (part.url ? 1 : 0) + (part.data ? 1 : 0) + (part.reference ? 1 : 0);
  if (contents == 0) return Fault{"part_content_missing", "a part needs a URL, data or a reference"};
  if (contents > 1) return Fault{"part_content_ambiguous", "a part has only one of URL, data and reference"};
  if (const auto fault = media_type_fault(part)) return fault;
  if ((part.data && part.data->empty()) || (part.reference && part.reference->size == 0)) {
    return Fault{"empty", "a part is empty"};
  }
  const std::string_view fault = part.url ? url_fault(*part.url) : std::string_view();
  if (fault == "url_user_info") return Fault{fault, "a URL must not hold user info"};
  if (!fault.empty()) return Fault{fault, "the URL of a part is malformed"};
  return std::nullopt;
}

std::optional<Fault> fault_of(const Message& message) {
  if (!is_known(message.role)) return Fault{"role_invalid", "the role of a message is not known"};
  if (!inputs::is_utf8(message.text)) return Fault{"text_not_utf8", "the text of a message is not UTF-8"};
  if (!message.parts.empty() && message.role != Role::user) {
    return Fault{"parts_not_on_user", "only messages of the user have parts"};
  }
  return std::nullopt;
}

std::string media_type_of(const Part& part) {
  if (part.media_type.empty()) return {};
  std::string normal = inputs::normalize_media_type(part.media_type).value_or("");
  return normal.empty() ? "application/octet-stream" : normal;
}

void refuse(const Fault& fault, const std::string& place, std::optional<Kind> kind) {
  InputErrorFields fields;
  fields.kind = kind;
  throw InputError(errc::input_invalid, std::string(fault.reason), fmt::format("{}{}", place, fault.sentence),
                   std::move(fields));
}

std::string place_of(std::size_t message) {
  return fmt::format("message {}: ", message);
}

std::string place_of(std::size_t message, std::size_t part) {
  return fmt::format("message {}, part {}: ", message, part);
}

namespace {

void check_part(const Part& part, const std::string& place) {
  if (const auto fault = fault_of(part)) {
    refuse(*fault, place, is_known(part.kind) ? std::optional(part.kind) : std::nullopt);
  }
}

}  // namespace

void check(const Message& message, std::size_t place) {
  if (const auto fault = fault_of(message)) refuse(*fault, place_of(place), std::nullopt);
  for (std::size_t i = 0; i < message.parts.size(); ++i) check_part(message.parts[i], place_of(place, i + 1));
}

}  // namespace attache::history

namespace attache {

void Part::validate() const {
  history::check_part(*this, {});
}

void Message::validate() const {
  if (const auto fault = history::fault_of(*this)) history::refuse(*fault, {}, std::nullopt);
  for (std::size_t i = 0; i < parts.size(); ++i) history::check_part(parts[i], fmt::format("part {}: ", i + 1));
}

}  // namespace attache
