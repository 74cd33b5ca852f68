// SPDX-License-Identifier: Apache-2.0
#include "event_lines.hpp"

#include <fmt/format.h>

#include "terminal_text.hpp"

namespace attache::cli {
namespace {

constexpr std::size_t short_text = 160;

struct Line {
  std::string operator()(const ToolCall& call) const {
    return fmt::format("tool {}: {}", one_line(call.name, short_text), one_line(call.arguments_json, short_text));
  }
  std::string operator()(const ToolResult& result) const {
    return result.is_error ? fmt::format("tool failed: {}", one_line(result.text, short_text)) : std::string();
  }
  std::string operator()(const Notice& notice) const { return fmt::format("notice: {}", notice.text); }
  std::string operator()(const Receipt& receipt) const {
    return fmt::format("input {}: {}", receipt.index + 1, to_string(receipt.outcome));
  }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::string event_line(const Event& event) {
  return std::visit(Line{}, event.body);
}

}  // namespace attache::cli
