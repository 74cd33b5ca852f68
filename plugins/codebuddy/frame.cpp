// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/process_turn.hpp>

#include "limits.hpp"

namespace attache::codebuddy {
namespace {

using nlohmann::ordered_json;
using sdk::Failure;
using sdk::Status;

/// The CLI posts the line to itself, as a JSON string: base64 stays as it is, quotes and backslashes double.
void check_size(const UserFrame& frame, const sdk::Request& request, const std::string& document) {
  constexpr std::uint64_t limit = kMaxLineBytes - kLineAllowance;
  const auto escapes = static_cast<std::uint64_t>(
      std::count_if(document.begin(), document.end(), [](char one) { return one == '"' || one == '\\'; }));
  if (frame.line.encoded_size() + escapes <= limit) return;
  Failure failure(Status::too_large, "request_size_limit", "the encoded turn is over the limit of codebuddy");
  failure.limit(limit);
  std::uint64_t total = document.size() + escapes;
  for (const sdk::Input input : request.inputs()) {
    if (input.mode() == sdk::Mode::native) total += sdk::base64_length(input.size());
    if (total <= limit) continue;
    failure.input(input.index());
    break;
  }
  throw failure;
}

}  // namespace

std::string reference_text(const sdk::Input& input) {
  return fmt::format("[attache input {}: file {} {}]", input.index() + 1, input.media_type(), input.local_path());
}

UserFrame build_frame(const sdk::Request& request) {
  UserFrame out;
  ordered_json content = ordered_json::array();
  if (!request.prompt().empty()) content.push_back({{"type", "text"}, {"text", std::string(request.prompt())}});
  for (const sdk::Input input : request.inputs()) {
    if (input.mode() == sdk::Mode::workspace_reference) {
      content.push_back({{"type", "text"}, {"text", reference_text(input)}});
      continue;
    }
    const char* const type = input.kind() == sdk::Kind::image ? "image" : "document";
    ordered_json source{{"type", "base64"},
                        {"media_type", std::string(input.media_type())},
                        {"data", out.line.add(sdk::slot_of(input))}};
    content.push_back({{"type", type}, {"source", std::move(source)}});
    out.slots.push_back(input.index());
  }
  const ordered_json document{{"type", "user"},
                              {"session_id", ""},
                              {"parent_tool_use_id", nullptr},
                              {"message", {{"role", "user"}, {"content", std::move(content)}}}};
  std::string line;
  try {
    line = document.dump();
  } catch (const ordered_json::type_error&) {
    throw Failure(Status::invalid, "prompt_not_utf8", "the prompt or the path of a referenced file is not UTF-8");
  }
  out.line.set_document(line);
  check_size(out, request, line);
  return out;
}

}  // namespace attache::codebuddy
