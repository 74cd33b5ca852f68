// SPDX-License-Identifier: Apache-2.0
#include <attache/event.hpp>
#include <attache/input_kind.hpp>

namespace attache {

std::string_view to_string(Delivery delivery) noexcept {
  switch (delivery) {
    case Delivery::not_started:
      return "not_started";
    case Delivery::not_delivered:
      return "not_delivered";
    case Delivery::indeterminate:
      return "indeterminate";
    case Delivery::delivered:
      return "delivered";
  }
  return "unknown";
}

std::string_view to_string(Receipt::Outcome outcome) noexcept {
  switch (outcome) {
    case Receipt::Outcome::exact:
      return "exact";
    case Receipt::Outcome::altered:
      return "altered";
    case Receipt::Outcome::dropped:
      return "dropped";
    case Receipt::Outcome::unknown:
      return "unknown";
  }
  return "unknown";
}

namespace input {

std::string_view to_string(Kind kind) noexcept {
  switch (kind) {
    case Kind::image:
      return "image";
    case Kind::file:
      return "file";
    case Kind::audio:
      return "audio";
    case Kind::video:
      return "video";
  }
  return "unknown";
}

std::string_view to_string(Mode mode) noexcept {
  switch (mode) {
    case Mode::native:
      return "native";
    case Mode::workspace_reference:
      return "workspace_reference";
    case Mode::provider_url:
      return "provider_url";
  }
  return "unknown";
}

std::optional<Kind> kind_from_string(std::string_view word) noexcept {
  for (const Kind kind : {Kind::image, Kind::file, Kind::audio, Kind::video}) {
    if (word == to_string(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<Mode> mode_from_string(std::string_view word) noexcept {
  for (const Mode mode : {Mode::native, Mode::workspace_reference, Mode::provider_url}) {
    if (word == to_string(mode)) return mode;
  }
  return std::nullopt;
}

}  // namespace input
}  // namespace attache
