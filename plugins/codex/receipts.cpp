// SPDX-License-Identifier: Apache-2.0
#include "receipts.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "turn_input.hpp"

namespace attache::codex {
namespace {

const char* item_type(const sdk::Input& input) {
  if (input.mode() == sdk::Mode::workspace_reference) return "input_text";
  return input.kind() == sdk::Kind::image ? "input_image" : "input_audio";
}

/// A media item was given for it, or the very text that names the file.
bool same_sort(const sdk::Input& input, const sdk::Shown& item) {
  return item.type == item_type(input) && (item.type != "input_text" || item.text == reference_text(input));
}

}  // namespace

sdk::Shown Receipts::read(const Json& item, const sdk::Frame& frame) {
  sdk::Shown out;
  out.type = text(item, "type");
  if (out.type == "input_text") {
    if (std::string said = text(item, "text"); frame.find(said) == nullptr) out.text = std::move(said);
    return out;
  }
  out.data = sdk::measure_data_url(text(item, out.type == "input_image" ? "image_url" : "audio_url"), frame);
  return out;
}

/// The CLI says of each item whose it is; one that does not is told by what stands in it.
bool Receipts::is_callers(const Json& message, const std::vector<sdk::Shown>& items) const {
  const Json& kinds = member(member(message, "internal_chat_message_metadata_passthrough"), "content_item_kinds");
  if (kinds.is_array()) {
    return std::any_of(kinds.begin(), kinds.end(), [](const Json& kind) {
      return kind.is_string() && kind.get_ref<const std::string&>().rfind("user.", 0) == 0;
    });
  }
  return std::any_of(items.begin(), items.end(), [&](const sdk::Shown& one) {
    return one.type != "input_text" || (!one.text.empty() && one.text == request_.prompt());
  });
}

void Receipts::prepared(const Json& message, const sdk::Frame& frame) {
  const Json& content = member(message, "content");
  if (shown_ || !content.is_array()) return;
  std::vector<sdk::Shown> items;
  for (const Json& item : content) items.push_back(read(item, frame));
  if (is_callers(message, items)) shown_ = std::move(items);
}

void Receipts::emit(sdk::Run& run) const {
  const bool known = shown_.has_value() && !forgotten_;
  const std::vector<sdk::Shown> none;
  const sdk::ShownInputs shown(request_, known ? *shown_ : none, request_.prompt().empty() ? 0 : 1, same_sort);
  for (const sdk::Input input : request_.inputs()) {
    known ? shown.report(input, run) : run.receipt(input, sdk::Receipt::unknown);
  }
}

}  // namespace attache::codex
