// SPDX-License-Identifier: Apache-2.0
#include "rollout.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include <nlohmann/json.hpp>

namespace attache::codex {
namespace {

constexpr std::size_t kChunk = std::size_t{256} * 1024;
constexpr sdk::JsonLines::Limits kLines{
    .string_bytes = 256 * 1024, .frame_bytes = 32 * 1024 * 1024, .hash_base64_text = false};

}  // namespace

void read_rollout(const std::string& file, const std::string& turn,
                  const std::function<void(const Json&, const sdk::Frame&)>& on_message) {
  std::error_code failed;
  if (file.empty() || turn.empty() || !std::filesystem::is_regular_file(file, failed)) return;
  std::ifstream in(file, std::ios::binary);
  sdk::JsonLines lines(kLines);
  const std::function<bool(sdk::Frame&)> each = [&](sdk::Frame& frame) {
    if (frame.json.find(turn) == std::string::npos) return true;
    const Json line = parse(frame.json);
    const Json& item = member(line, "payload");
    const std::string whose = text(member(item, "internal_chat_message_metadata_passthrough"), "turn_id");
    const bool message = text(line, "type") == "response_item" && text(item, "type") == "message";
    if (message && text(item, "role") == "user" && whose == turn) on_message(item, frame);
    return true;
  };
  const auto buffer = std::make_unique_for_overwrite<char[]>(kChunk);
  while (in.read(buffer.get(), static_cast<std::streamsize>(kChunk)) || in.gcount() > 0) {
    const auto count = static_cast<std::size_t>(in.gcount());
    if (lines.feed({buffer.get(), count}, each) != sdk::JsonLines::Status::ok) return;
  }
}

}  // namespace attache::codex
