// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include <algorithm>
#include <random>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/process_turn.hpp>

#include "admission.hpp"
#include "limits.hpp"

namespace attache::claude {
namespace {

using nlohmann::ordered_json;
using sdk::Failure;
using sdk::Status;

/// Version 4. A second frame with a uuid that the CLI has seen is dropped without a word.
std::string fresh_uuid() {
  std::random_device random;
  const std::uint32_t a = random(), b = random(), c = random(), d = random();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", a, b >> 16, b & 0xfff, 0x8000 | (c >> 18), c & 0xffff,
                     d);
}

/// Titles of documents are text that the model reads, and a file's name is somebody else's: neutral ones.
std::string title(std::size_t number) {
  return fmt::format("document-{}", number);
}

/// The first input at which the running total passes what is left for inputs.
std::uint32_t first_over(const sdk::Request& request, std::uint64_t room) {
  std::uint64_t total = 0;
  for (const sdk::Input input : request.inputs()) {
    total += block_of(input) == Block::text_document ? input.size() : sdk::base64_length(input.size());
    if (total > room) return input.index();
  }
  return request.inputs()[request.inputs().size() - 1].index();
}

void check_size(const sdk::JsonFrame& frame, const sdk::Request& request, std::size_t document, std::uint64_t beside) {
  const std::uint64_t limit = kMaxRequestBytes - kRequestAllowance - beside;
  if (frame.encoded_size() <= limit) return;
  Failure failure(Status::too_large, "request_size_limit", "the encoded turn is over the limit of the Messages API");
  failure.limit(limit);
  if (!request.inputs().empty()) failure.input(first_over(request, limit - std::min<std::uint64_t>(limit, document)));
  throw failure;
}

}  // namespace

sdk::JsonFrame build_frame(const sdk::Request& request, std::uint64_t beside) {
  sdk::JsonFrame frame;
  ordered_json content = ordered_json::array();
  if (!request.prompt().empty()) content.push_back({{"type", "text"}, {"text", std::string(request.prompt())}});
  std::size_t documents = 0;
  for (const sdk::Input input : request.inputs()) {
    const Block block = block_of(input);
    const bool text = block == Block::text_document;
    const std::string slot = frame.add(sdk::slot_of(input, text ? sdk::Encoding::text : sdk::Encoding::base64));
    ordered_json source{
        {"type", text ? "text" : "base64"}, {"media_type", std::string(input.media_type())}, {"data", slot}};
    ordered_json item{{"type", block == Block::image ? "image" : "document"}, {"source", std::move(source)}};
    if (block != Block::image) item["title"] = title(++documents);
    content.push_back(std::move(item));
  }
  const ordered_json document{
      {"type", "user"},   {"uuid", fresh_uuid()},    {"parent_tool_use_id", nullptr},
      {"session_id", ""}, {"client_composed", true}, {"message", {{"role", "user"}, {"content", std::move(content)}}}};
  std::size_t length = 0;
  try {
    std::string line = document.dump();
    length = line.size();
    frame.set_document(std::move(line));
  } catch (const ordered_json::type_error&) {
    throw Failure(Status::invalid, "prompt_not_utf8", "the prompt is not UTF-8");
  }
  try {
    check_size(frame, request, length, beside);
  } catch (const sdk::FrameError& error) {
    throw sdk::frame_failure(error, request);
  }
  return frame;
}

}  // namespace attache::claude
