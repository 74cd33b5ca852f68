// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <utility>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/json_frame.hpp>

#include "frame_source.hpp"
#include "random_token.hpp"

namespace attache::sdk {
namespace {

const char* explain(const std::string& reason) {
  if (reason == "open_failed") return "a file of the frame cannot be opened";
  if (reason == "read_failed") return "a file of the frame cannot be read";
  if (reason == "size_changed") return "a file of the frame has another size than declared";
  if (reason == "digest_changed") return "a file of the frame has another SHA-256 than declared";
  if (reason == "file_changed") return "a file of the frame was changed while it was read";
  return "a text file of the frame is not UTF-8";
}

std::uint64_t text_length(const FrameSlot& slot, std::size_t index) {
  SlotStream stream(slot, index);
  const auto scratch = std::make_unique_for_overwrite<char[]>(std::size_t{64} * 1024);
  std::uint64_t length = 0;
  while (const std::size_t count = stream.produce({scratch.get(), std::size_t{64} * 1024})) length += count;
  return length;
}

}  // namespace

FrameError::FrameError(std::string reason, std::size_t slot)
    : std::runtime_error(explain(reason)), reason_(std::move(reason)), slot_(slot) {}

struct JsonFrame::Impl {
  std::string prefix = "attache-slot:" + random_token() + ":";
  std::vector<FrameSlot> slots;
  std::shared_ptr<const FramePlan> plan;

  const std::shared_ptr<const FramePlan>& ready() const {
    if (!plan) throw std::logic_error("the frame has no document yet");
    return plan;
  }
};

JsonFrame::JsonFrame() : impl_(std::make_shared<Impl>()) {}
JsonFrame::JsonFrame(JsonFrame&&) noexcept = default;
JsonFrame& JsonFrame::operator=(JsonFrame&&) noexcept = default;
JsonFrame::~JsonFrame() = default;

std::string JsonFrame::add(FrameSlot slot) {
  for (const char one : slot.before) {
    if (one < ' ' || one > '~' || one == '"' || one == '\\') {
      throw std::invalid_argument("the text before a slot would have to be escaped");
    }
  }
  impl_->plan.reset();
  impl_->slots.push_back(std::move(slot));
  return impl_->prefix + std::to_string(impl_->slots.size() - 1);
}

void JsonFrame::set_document(std::string document) {
  impl_->plan.reset();
  if (document.find_first_of("\r\n") != std::string::npos) {
    throw std::invalid_argument("the document of a frame is more than one line");
  }
  document += '\n';
  auto plan = std::make_shared<FramePlan>();
  std::vector<bool> seen(impl_->slots.size());
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = document.find(impl_->prefix, begin)) != std::string::npos;) {
    const char* const digits = document.data() + at + impl_->prefix.size();
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(digits, document.data() + document.size(), index);
    const bool opened = at > begin && document[at - 1] == '"' && (at == 1 || document[at - 2] != '\\');
    if (error != std::errc{} || !opened || *stop != '"' || index >= seen.size() || seen[index]) {
      throw std::invalid_argument("a marker of the frame is not one whole string of its document");
    }
    seen[index] = true;
    plan->parts.push_back({begin, at - begin, index});
    begin = static_cast<std::size_t>(stop - document.data());
  }
  for (const bool one : seen) {
    if (!one) throw std::invalid_argument("a marker of the frame is missing in its document");
  }
  plan->parts.push_back({begin, document.size() - begin, FramePlan::kNoSlot});
  plan->document = std::move(document);
  plan->slots = impl_->slots;
  impl_->plan = std::move(plan);
}

std::uint64_t JsonFrame::encoded_size() const {
  const auto& plan = impl_->ready();
  std::uint64_t size = 0;
  for (const FramePlan::Part& part : plan->parts) {
    size += part.length;
    if (part.slot == FramePlan::kNoSlot) continue;
    const FrameSlot& slot = plan->slots[part.slot];
    size += slot.encoding == Encoding::base64 ? slot.before.size() + base64_length(slot.size)
                                              : text_length(slot, part.slot);
  }
  return size;
}

std::unique_ptr<ByteSource> JsonFrame::source() const {
  return std::make_unique<FrameSource>(impl_->ready());
}

}  // namespace attache::sdk
