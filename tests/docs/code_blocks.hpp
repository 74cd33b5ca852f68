// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attache::test {

/// One ```cpp block of a page.
struct CodeBlock {
  std::string page;      ///< relative to the source tree
  std::size_t line = 0;  ///< of its first line of code, from 1
  std::string code;
  std::string mark;  ///< what an HTML comment in the line before it says; empty: none
  bool is_program() const;
};

std::vector<CodeBlock> blocks_of(std::string_view text, const std::string& page);

/// The blocks of README.md and of every page below docs/.
std::vector<CodeBlock> blocks_below(const std::string& source_tree);

/// A source file for a block: a program, and code marked "wrap: file", as it is; code marked "wrap: NAME" inside of the
/// wrapper, in place of its line "// BLOCK", with its own #include lines before all. Errors name page and line.
std::string source_of(const CodeBlock& block, std::string_view wrapper);

}  // namespace attache::test
