// SPDX-License-Identifier: Apache-2.0
#include "code_blocks.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "command/command.hpp"

namespace attache::test {
namespace {

constexpr std::string_view place_mark = "// BLOCK\n";

/// What the line says when it is an HTML comment, and no more than that.
std::string comment_in(std::string_view line) {
  constexpr std::string_view begin = "<!-- ", end = " -->";
  if (!line.starts_with(begin) || !line.ends_with(end)) return {};
  return std::string(line.substr(begin.size(), line.size() - begin.size() - end.size()));
}

std::string at_line(const CodeBlock& block) {
  return "#line " + std::to_string(block.line) + " \"" + block.page + "\"\n";
}

}  // namespace

bool CodeBlock::is_program() const {
  return code.find("int main(") != std::string::npos;
}

std::vector<CodeBlock> blocks_of(std::string_view text, const std::string& page) {
  std::vector<CodeBlock> blocks;
  std::istringstream lines{std::string(text)};
  std::string before;
  bool in_code = false, in_other = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); before = line) {
    ++number;
    if (line.starts_with("```")) {
      const bool opens = !in_code && !in_other;
      if (opens && line == "```cpp") blocks.push_back({page, number + 1, {}, comment_in(before)});
      in_code = opens && line == "```cpp";
      in_other = opens && !in_code;
    } else if (in_code) {
      blocks.back().code += line + "\n";
    }
  }
  return blocks;
}

std::vector<CodeBlock> blocks_below(const std::string& source_tree) {
  std::vector<std::string> pages{"README.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_tree + "/docs")) {
    if (entry.path().extension() != ".md") continue;
    pages.push_back(entry.path().lexically_relative(source_tree).string());
  }
  std::sort(pages.begin(), pages.end());
  std::vector<CodeBlock> blocks;
  for (const std::string& page : pages) {
    for (CodeBlock& block : blocks_of(read_file(source_tree + "/" + page), page)) blocks.push_back(std::move(block));
  }
  return blocks;
}

std::string source_of(const CodeBlock& block, std::string_view wrapper) {
  if (wrapper.empty()) return at_line(block) + block.code;
  std::string includes, rest;
  std::istringstream lines(block.code);
  for (std::string line; std::getline(lines, line);) {
    const bool include = line.starts_with("#include");
    (include ? includes : rest) += line + "\n";
    if (include) rest += "\n";  // lines keep their numbers
  }
  std::string source = includes + std::string(wrapper);
  const std::size_t place = source.find(place_mark);
  return source.replace(std::min(place, source.size()), place_mark.size(), at_line(block) + rest);
}

}  // namespace attache::test
