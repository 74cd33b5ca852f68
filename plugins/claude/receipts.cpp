// SPDX-License-Identifier: Apache-2.0
#include "receipts.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>

namespace attache::claude {
namespace {

const char* block_type(const sdk::Input& input) {
  return input.kind() == sdk::Kind::image ? "image" : "document";
}

struct Measured {
  std::uint64_t size = 0;
  std::optional<sdk::Digest> sha256;
};

Measured measure_base64(const std::string& data) {
  const auto out = std::make_unique<std::uint8_t[]>(data.size() / 4 * 3 + 3);
  sdk::Base64Decoder decoder;
  std::size_t written = 0;
  if (!decoder.update(data, out.get(), written) || !decoder.finish()) return {};
  sdk::Sha256 hash;
  hash.update(std::span<const std::uint8_t>(out.get(), written));
  return {written, hash.finish()};
}

Measured measure(const std::string& data, bool base64, const sdk::Frame& frame) {
  if (const sdk::LongString* string = frame.find(data)) {
    if (!base64) {
      return {string->length, string->has_sha256 ? std::optional(string->sha256) : std::nullopt};
    }
    if (!string->is_base64 || !string->media_type.empty()) return {};
    return {string->decoded_size, string->decoded_sha256};
  }
  if (base64) return measure_base64(data);
  return {data.size(), sdk::sha256(data)};
}

}  // namespace

Receipts::Shown Receipts::read(const Json& block, const sdk::Frame& frame) {
  Shown out;
  out.type = text(block, "type");
  const Json& source = member(block, "source");
  const std::string carried = text(source, "type");
  if (carried != "base64" && carried != "text") return out;
  out.media_type = text(source, "media_type");
  const Measured measured = measure(text(source, "data"), carried == "base64", frame);
  out.size = measured.size;
  out.sha256 = measured.sha256;
  return out;
}

void Receipts::replayed(const Json& content, const sdk::Frame& frame) {
  if (shown_) return;
  shown_.emplace();
  if (!content.is_array()) return;
  for (const Json& block : content) shown_->push_back(read(block, frame));
}

void Receipts::media_removed(const std::string& media) {
  if (media != "document") images_removed_ = true;
  if (media != "image") documents_removed_ = true;
}

std::vector<const Receipts::Shown*> Receipts::matched() const {
  const auto inputs = request_.inputs();
  std::vector<const Shown*> out(inputs.size());
  const std::size_t before = request_.prompt().empty() ? 0 : 1;
  if (shown_->size() == before + inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Shown& one = (*shown_)[before + i];
      if (one.type == block_type(inputs[i])) out[i] = &one;
    }
    return out;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t at = next; at < shown_->size(); ++at) {
      const Shown& one = (*shown_)[at];
      if (one.type != block_type(inputs[i]) || one.sha256 != inputs[i].sha256()) continue;
      out[i] = &one;
      next = at + 1;
      break;
    }
  }
  return out;
}

bool Receipts::shown_too_often(const sdk::Input& input) const {
  const auto inputs = request_.inputs();
  const auto asked = std::count_if(inputs.begin(), inputs.end(), [&](const sdk::Input& one) {
    return std::string_view(block_type(one)) == block_type(input) && one.sha256() == input.sha256();
  });
  const auto shown = std::count_if(shown_->begin(), shown_->end(), [&](const Shown& one) {
    return one.type == block_type(input) && one.sha256 == input.sha256();
  });
  return shown > asked;
}

void Receipts::emit(sdk::Run& run) const {
  const auto inputs = request_.inputs();
  const std::vector<const Shown*> became = shown_ ? matched() : std::vector<const Shown*>(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const sdk::Input input = inputs[i];
    if (input.kind() == sdk::Kind::image ? images_removed_ : documents_removed_) {
      run.receipt(input, sdk::Receipt::dropped);
    } else if (!shown_) {
      run.receipt(input, sdk::Receipt::unknown);
    } else if (became[i] == nullptr) {
      run.receipt(input, sdk::Receipt::dropped);
    } else if (shown_too_often(input)) {
      // Its bytes were kept, the turn was not.
      run.receipt(input, sdk::Receipt::altered);
    } else {
      const bool same = became[i]->sha256 == input.sha256();
      run.receipt(input, same ? sdk::Receipt::exact : sdk::Receipt::altered,
                  {became[i]->media_type, became[i]->size, became[i]->sha256});
    }
  }
}

}  // namespace attache::claude
