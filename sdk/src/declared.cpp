// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <nlohmann/json.hpp>

#include <attache/sdk/declared.hpp>
#include <attache/sdk/failure.hpp>

namespace attache::sdk {
namespace {

using Json = nlohmann::json;

std::string_view word(Kind kind) noexcept {
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
  return {};
}

std::string_view word(Mode mode) noexcept {
  switch (mode) {
    case Mode::native:
      return "native";
    case Mode::workspace_reference:
      return "workspace_reference";
    case Mode::provider_url:
      return "provider_url";
  }
  return {};
}

/// An empty list narrows nothing; "image/*" takes every image.
bool takes(const Json& types, std::string_view type) {
  if (types.empty()) return true;
  for (const Json& one : types) {
    const std::string& pattern = one.get_ref<const std::string&>();
    if (pattern == type) return true;
    if (pattern.ends_with("/*") && type.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1)))
      return true;
  }
  return false;
}

void require_declared(const Input& input, const Json& inputs) {
  const std::string_view kind = word(input.kind());
  if (kind.empty() || inputs.at(kind).at("modes").empty()) {
    throw Failure(Status::unsupported_kind, "kind_unsupported", "this driver does not take inputs of this kind")
        .input(input.index());
  }
  bool mode_offered = false;
  bool type_taken = false;
  for (const Json& mode : inputs.at(kind).at("modes")) {
    const bool asked = mode.at("mode") == word(input.mode());
    const bool taken = takes(mode.value("media_types", Json::array()), input.media_type());
    if (asked && taken) return;
    mode_offered = mode_offered || asked;
    type_taken = type_taken || taken;
  }
  if (mode_offered && !type_taken) {
    throw Failure(Status::unsupported_media_type, "media_type_unsupported",
                  "this driver does not take inputs of this media type")
        .input(input.index());
  }
  throw Failure(Status::unsupported_mode, "mode_unsupported",
                "this driver does not offer this mode for this kind and media type")
      .input(input.index());
}

}  // namespace

void require_declared(const Request& request, std::string_view descriptor_json) {
  if (request.inputs().empty()) return;
  try {
    const Json descriptor = Json::parse(descriptor_json);
    for (const Input input : request.inputs()) require_declared(input, descriptor.at("inputs"));
  } catch (const Json::exception&) {
    throw Failure(Status::internal, "descriptor_unreadable", "the driver cannot read its own descriptor");
  }
}

}  // namespace attache::sdk
