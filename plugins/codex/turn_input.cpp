// SPDX-License-Identifier: Apache-2.0
#include "turn_input.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/process_turn.hpp>

#include "limits.hpp"

namespace attache::codex {
namespace {

using nlohmann::ordered_json;
using sdk::Failure;
using sdk::Status;

std::uint64_t characters(std::string_view text) {
  return static_cast<std::uint64_t>(std::count_if(
      text.begin(), text.end(), [](char one) { return (static_cast<unsigned char>(one) & 0xC0) != 0x80; }));
}

ordered_json text_item(std::string text) {
  return {{"type", "text"}, {"text", std::move(text)}, {"text_elements", ordered_json::array()}};
}

}  // namespace

std::string reference_text(const sdk::Input& input) {
  return fmt::format("[attache input {}: file {} {}]", input.index() + 1, input.media_type(), input.local_path());
}

TurnInput build_input(const sdk::Request& request) {
  TurnInput out;
  ordered_json items = ordered_json::array();
  std::uint64_t length = characters(request.prompt());
  if (!request.prompt().empty()) items.push_back(text_item(std::string(request.prompt())));
  for (const sdk::Input input : request.inputs()) {
    if (input.mode() == sdk::Mode::workspace_reference) {
      std::string text = reference_text(input);
      length += characters(text);
      items.push_back(text_item(std::move(text)));
      continue;
    }
    sdk::FrameSlot slot = sdk::slot_of(input);
    slot.before = fmt::format("data:{};base64,", input.media_type());
    const char* const type = input.kind() == sdk::Kind::image ? "image" : "audio";
    items.push_back({{"type", type}, {"url", out.payload.add(std::move(slot))}});
    out.slots.push_back(input.index());
  }
  if (length > kMaxTextCharacters) {
    throw Failure(Status::too_large, "prompt_too_long", "the text is longer than codex takes")
        .limit(kMaxTextCharacters);
  }
  try {
    out.items = items.dump();
  } catch (const ordered_json::type_error&) {
    throw Failure(Status::invalid, "prompt_not_utf8", "the prompt or the path of a referenced file is not UTF-8");
  }
  return out;
}

}  // namespace attache::codex
