// SPDX-License-Identifier: Apache-2.0
#include "receipts.hpp"

#include <algorithm>
#include <memory>

#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>

#include "turn_input.hpp"

namespace attache::codex {
namespace {

constexpr std::string_view kBefore = "data:";
constexpr std::string_view kAfter = ";base64,";

const char* item_type(const sdk::Input& input) {
  if (input.mode() == sdk::Mode::workspace_reference) return "input_text";
  return input.kind() == sdk::Kind::image ? "input_image" : "input_audio";
}

/// A media item was given for it, or the very text that names the file.
bool same_thing(const sdk::Input& input, const std::string& type, const std::string& text) {
  return type == item_type(input) && (type != "input_text" || text == reference_text(input));
}

}  // namespace

Receipts::Shown Receipts::read(const Json& item, const sdk::Frame& frame) {
  Shown out;
  out.type = text(item, "type");
  if (out.type == "input_text") {
    if (std::string said = text(item, "text"); frame.find(said) == nullptr) out.text = std::move(said);
    return out;
  }
  const std::string url = text(item, out.type == "input_image" ? "image_url" : "audio_url");
  if (const sdk::LongString* string = frame.find(url)) {
    if (!string->is_base64 || string->media_type.empty()) return out;
    out.media_type = string->media_type;
    out.size = string->decoded_size;
    out.sha256 = string->decoded_sha256;
    return out;
  }
  const std::size_t end = url.find(kAfter);
  if (url.compare(0, kBefore.size(), kBefore) != 0 || end == std::string::npos) return out;
  const std::string_view data = std::string_view(url).substr(end + kAfter.size());
  const auto bytes = std::make_unique<std::uint8_t[]>(data.size() / 4 * 3 + 3);
  sdk::Base64Decoder decoder;
  std::size_t written = 0;
  if (!decoder.update(data, bytes.get(), written) || !decoder.finish()) return out;
  sdk::Sha256 hash;
  hash.update(std::span<const std::uint8_t>(bytes.get(), written));
  out.media_type = url.substr(kBefore.size(), end - kBefore.size());
  out.size = written;
  out.sha256 = hash.finish();
  return out;
}

/// The CLI says of each item whose it is; one that does not is told by what stands in it.
bool Receipts::is_callers(const Json& message, const std::vector<Shown>& items) const {
  const Json& kinds = member(member(message, "internal_chat_message_metadata_passthrough"), "content_item_kinds");
  if (kinds.is_array()) {
    return std::any_of(kinds.begin(), kinds.end(), [](const Json& kind) {
      return kind.is_string() && kind.get_ref<const std::string&>().rfind("user.", 0) == 0;
    });
  }
  return std::any_of(items.begin(), items.end(), [&](const Shown& one) {
    return one.type != "input_text" || (!one.text.empty() && one.text == request_.prompt());
  });
}

void Receipts::prepared(const Json& message, const sdk::Frame& frame) {
  const Json& content = member(message, "content");
  if (shown_ || !content.is_array()) return;
  std::vector<Shown> items;
  for (const Json& item : content) items.push_back(read(item, frame));
  if (is_callers(message, items)) shown_ = std::move(items);
}

std::vector<const Receipts::Shown*> Receipts::matched() const {
  const auto inputs = request_.inputs();
  std::vector<const Shown*> out(inputs.size());
  const std::size_t before = request_.prompt().empty() ? 0 : 1;
  if (shown_->size() == before + inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Shown& one = (*shown_)[before + i];
      if (same_thing(inputs[i], one.type, one.text)) out[i] = &one;
    }
    return out;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t at = next; at < shown_->size(); ++at) {
      const Shown& one = (*shown_)[at];
      const bool text = one.type == "input_text";
      if (!same_thing(inputs[i], one.type, one.text) || (!text && one.sha256 != inputs[i].sha256())) continue;
      out[i] = &one;
      next = at + 1;
      break;
    }
  }
  return out;
}

void Receipts::emit(sdk::Run& run) const {
  const auto inputs = request_.inputs();
  const bool known = shown_.has_value() && !forgotten_;
  const std::vector<const Shown*> became = known ? matched() : std::vector<const Shown*>(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const sdk::Input input = inputs[i];
    if (!known) {
      run.receipt(input, sdk::Receipt::unknown);
    } else if (became[i] == nullptr) {
      run.receipt(input, sdk::Receipt::dropped);
    } else if (input.mode() == sdk::Mode::workspace_reference) {
      run.receipt(input, sdk::Receipt::unknown);  // the name was taken; what the model reads of it is never shown
    } else {
      const bool same = became[i]->sha256 == input.sha256();
      run.receipt(input, same ? sdk::Receipt::exact : sdk::Receipt::altered,
                  {became[i]->media_type, became[i]->size, became[i]->sha256});
    }
  }
}

}  // namespace attache::codex
