// SPDX-License-Identifier: Apache-2.0
#include "receipts.hpp"

#include <nlohmann/json.hpp>

namespace attache::claude {
namespace {

const char* block_type(const sdk::Input& input) {
  return input.kind() == sdk::Kind::image ? "image" : "document";
}

}  // namespace

sdk::Shown Receipts::read(const Json& block, const sdk::Frame& frame) {
  sdk::Shown out;
  out.type = text(block, "type");
  const Json& source = member(block, "source");
  const std::string carried = text(source, "type");
  if (carried != "base64" && carried != "text") return out;
  const std::string data = text(source, "data");
  out.data = carried == "base64" ? sdk::measure_base64(data, frame) : sdk::measure_text(data, frame);
  out.data.media_type = text(source, "media_type");
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

void Receipts::emit(sdk::Run& run) const {
  const std::vector<sdk::Shown> none;
  const sdk::ShownInputs shown(
      request_, shown_ ? *shown_ : none, request_.prompt().empty() ? 0 : 1,
      [](const sdk::Input& input, const sdk::Shown& block) { return block.type == block_type(input); });
  for (const sdk::Input input : request_.inputs()) {
    if (input.kind() == sdk::Kind::image ? images_removed_ : documents_removed_) {
      run.receipt(input, sdk::Receipt::dropped);
    } else if (!shown_) {
      run.receipt(input, sdk::Receipt::unknown);
    } else {
      shown.report(input, run);
    }
  }
}

}  // namespace attache::claude
