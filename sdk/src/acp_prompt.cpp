// SPDX-License-Identifier: Apache-2.0
#include "acp_prompt.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/acp.hpp>
#include <attache/sdk/failure.hpp>
#include <attache/sdk/process_turn.hpp>

namespace attache::sdk::acp {
namespace {

using Json = nlohmann::ordered_json;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

Json link(const Input& input) {
  // The name of the copy, which is neutral: a display name is somebody else's text, and agents put it into the prompt.
  return {{"type", "resource_link"},
          {"uri", file_url(input.local_path())},
          {"name", std::string(base_name(input.local_path()))},
          {"mimeType", std::string(input.media_type())},
          {"size", input.size()}};
}

Json block(const Input& input, JsonFrame& payload) {
  const AcpBlock kind = acp_block(input.kind(), input.media_type());
  const bool as_text = kind == AcpBlock::text_resource;
  const std::string data = payload.add(slot_of(input, as_text ? Encoding::text : Encoding::base64));
  const std::string type(input.media_type());
  if (kind == AcpBlock::image || kind == AcpBlock::audio) {
    return {{"type", kind == AcpBlock::image ? "image" : "audio"}, {"mimeType", type}, {"data", data}};
  }
  const std::string uri = "attache://input/" + std::to_string(input.index() + 1);
  return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", type}, {as_text ? "text" : "blob", data}}}};
}

}  // namespace

std::string file_url(std::string_view path) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out = "file://";
  for (const char one : path) {
    if (plain.find(one) != std::string_view::npos) {
      out += one;
    } else {
      const auto byte = static_cast<unsigned char>(one);
      out += '%';
      out += hex[byte >> 4];
      out += hex[byte & 15];
    }
  }
  return out;
}

Prompt build_prompt(const Request& request) {
  Prompt out;
  Json blocks = Json::array();
  if (!request.prompt().empty()) blocks.push_back({{"type", "text"}, {"text", std::string(request.prompt())}});
  for (const Input input : request.inputs()) {
    if (input.mode() == Mode::workspace_reference) {
      blocks.push_back(link(input));
    } else {
      blocks.push_back(block(input, out.payload));
      out.slots.push_back(input.index());
    }
  }
  try {
    out.blocks = blocks.dump();
  } catch (const Json::type_error&) {
    throw Failure(Status::invalid, "prompt_not_utf8", "the prompt is not UTF-8");
  }
  return out;
}

}  // namespace attache::sdk::acp
