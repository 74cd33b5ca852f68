// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/shown.hpp>

namespace attache::sdk {
namespace {

constexpr std::string_view kBefore = "data:";
constexpr std::string_view kAfter = ";base64,";

Measured decode(std::string_view data) {
  const auto out = std::make_unique<std::uint8_t[]>(data.size() / 4 * 3 + 3);
  Base64Decoder decoder;
  std::size_t written = 0;
  if (!decoder.update(data, out.get(), written) || !decoder.finish()) return {};
  Sha256 hash;
  hash.update(std::span<const std::uint8_t>(out.get(), written));
  return {{}, written, hash.finish()};
}

}  // namespace

Measured measure_base64(std::string_view value, const Frame& frame) {
  const LongString* const string = frame.find(value);
  if (string == nullptr) return decode(value);
  if (!string->is_base64 || !string->media_type.empty()) return {};
  return {{}, string->decoded_size, string->decoded_sha256};
}

Measured measure_text(std::string_view value, const Frame& frame) {
  const LongString* const string = frame.find(value);
  if (string == nullptr) return {{}, value.size(), sha256(value)};
  return {{}, string->length, string->has_sha256 ? std::optional(string->sha256) : std::nullopt};
}

Measured measure_data_url(std::string_view value, const Frame& frame) {
  if (const LongString* const string = frame.find(value)) {
    if (!string->is_base64 || string->media_type.empty()) return {};
    return {string->media_type, string->decoded_size, string->decoded_sha256};
  }
  const std::size_t end = value.find(kAfter);
  if (value.substr(0, kBefore.size()) != kBefore || end == std::string_view::npos) return {};
  Measured out = decode(value.substr(end + kAfter.size()));
  if (out.sha256) out.media_type = value.substr(kBefore.size(), end - kBefore.size());
  return out;
}

ShownInputs::ShownInputs(const Request& request, const std::vector<Shown>& blocks, std::size_t before,
                         SameSort same_sort)
    : request_(request), blocks_(blocks), same_sort_(std::move(same_sort)), became_(request.inputs().size()) {
  const auto inputs = request_.inputs();
  if (blocks_.size() == before + inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Shown& one = blocks_[before + i];
      if (same_sort_(inputs[i], one)) became_[i] = &one;
    }
    return;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t at = next; at < blocks_.size(); ++at) {
      const Shown& one = blocks_[at];
      const bool by_name = inputs[i].mode() == Mode::workspace_reference;
      if (!same_sort_(inputs[i], one) || (!by_name && one.data.sha256 != inputs[i].sha256())) continue;
      became_[i] = &one;
      next = at + 1;
      break;
    }
  }
}

const Shown* ShownInputs::of(const Input& input) const {
  const auto inputs = request_.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].index() == input.index()) return became_[i];
  }
  return nullptr;
}

bool ShownInputs::too_often(const Input& input) const {
  const Shown* const became = of(input);
  const auto inputs = request_.inputs();
  const auto asked = std::count_if(inputs.begin(), inputs.end(), [&](const Input& one) {
    return became != nullptr && same_sort_(one, *became) && one.sha256() == input.sha256();
  });
  const auto shown = std::count_if(blocks_.begin(), blocks_.end(), [&](const Shown& one) {
    return same_sort_(input, one) && one.data.sha256 == input.sha256();
  });
  return shown > asked;
}

void ShownInputs::report(const Input& input, Run& run) const {
  const Shown* const became = of(input);
  if (became == nullptr) {
    run.receipt(input, Receipt::dropped);
  } else if (input.mode() == Mode::workspace_reference) {
    run.receipt(input, Receipt::unknown);  // the name was taken; what the model reads of the file is never shown
  } else if (too_often(input)) {
    run.receipt(input, Receipt::altered);  // its bytes were kept, the turn was not
  } else {
    const bool same = became->data.sha256 == input.sha256();
    run.receipt(input, same ? Receipt::exact : Receipt::altered,
                {became->data.media_type, became->data.size, became->data.sha256});
  }
}

std::string removed_note(std::uint64_t size, const Digest& digest, std::string_view what) {
  return "[removed: " + std::string(what) + " of " + std::to_string(size) + " bytes, sha256 " + to_hex(digest) + "]";
}

std::string removed_note(const LongString& string) {
  if (string.is_base64) return removed_note(string.decoded_size, string.decoded_sha256, "base64");
  if (string.has_sha256) return removed_note(string.length, string.sha256, "text");
  return "[removed: text of " + std::to_string(string.length) + " bytes]";
}

}  // namespace attache::sdk
