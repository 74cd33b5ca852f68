// SPDX-License-Identifier: Apache-2.0
// Every ```cpp block of the documentation compiles.
#include "code_blocks.hpp"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string root = ATTACHE_SOURCE_DIR;

std::string wrapper_of(const CodeBlock& block) {
  const std::string prefix = "wrap: ";
  if (!block.mark.starts_with(prefix) || block.mark == "wrap: file") return {};
  return read_file(root + "/tests/docs/wrappers/" + block.mark.substr(prefix.size()) + ".txt");
}

/// The block is a copy of a file that is built elsewhere.
bool is_copy(const CodeBlock& block) {
  return !block.mark.empty() && std::filesystem::is_regular_file(root + "/" + block.mark) &&
         read_file(root + "/" + block.mark) == block.code;
}

/// Compiles sources as hosts and drivers would, all with one call of the compiler.
Finished compile(const std::vector<CodeBlock>& blocks) {
  const TemporaryDirectory place;
  std::vector<std::string> words{ATTACHE_CXX,
                                 "-std=c++20",
                                 "-fsyntax-only",
                                 "-Wall",
                                 "-Wextra",
                                 "-Werror",
                                 "-Wno-unused-variable",
                                 "-Wno-unused-but-set-variable",
                                 "-Wno-unused-parameter",
                                 "-Wno-missing-field-initializers"};
  std::string directories = ATTACHE_INCLUDES;
  for (std::size_t begin = 0; begin < directories.size();) {
    const std::size_t end = std::min(directories.find('|', begin), directories.size());
    words.push_back("-I" + directories.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const CodeBlock& block : blocks) {
    words.push_back(place.write(std::to_string(words.size()) + ".cpp", source_of(block, wrapper_of(block))));
  }
  return run_command(words);
}

TEST(CodeBlocks, AreFoundWithTheirMarksAndLines) {
  const auto blocks = blocks_of(
      "# Page\n<!-- wrap: host -->\n```cpp\none();\n\ntwo();\n```\n\n```sh\ncat <<< '```cpp'\n```\n"
      "text\n```cpp\nint main() {}\n```\n```json\n{}\n```\n",
      "docs/page.md");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].mark, "wrap: host");
  EXPECT_EQ(blocks[0].line, 4u);
  EXPECT_EQ(blocks[0].code, "one();\n\ntwo();\n");
  EXPECT_FALSE(blocks[0].is_program());
  EXPECT_EQ(blocks[1].mark, "");
  EXPECT_EQ(blocks[1].code, "int main() {}\n");
  EXPECT_TRUE(blocks[1].is_program());
}

TEST(CodeBlocks, TheIncludesOfAFragmentStandBeforeItsWrapper) {
  const CodeBlock block{"docs/page.md", 7, "#include <map>\none();\n", "wrap: any"};
  EXPECT_EQ(source_of(block, "void f() {\n// BLOCK\n}\n"),
            "#include <map>\nvoid f() {\n#line 7 \"docs/page.md\"\n\none();\n}\n");
}

TEST(CodeBlocks, EachOneCanBeCompiledOrIsACopyOfABuiltFile) {
  for (const CodeBlock& block : blocks_below(root)) {
    const bool wrapped = block.mark == "wrap: file" || !wrapper_of(block).empty();
    EXPECT_TRUE(block.is_program() || wrapped || is_copy(block))
        << block.page << ":" << block.line << ": neither a program nor marked with <!-- wrap: NAME -->";
  }
}

TEST(CodeBlocks, ThesePagesHaveAWholeProgram) {
  const std::vector<CodeBlock> blocks = blocks_below(root);
  for (const char* page :
       {"docs/errors.md", "docs/history.md", "docs/run-policy.md", "docs/streaming.md", "docs/threads.md"}) {
    EXPECT_TRUE(std::any_of(blocks.begin(), blocks.end(), [&](const CodeBlock& block) {
      return block.page == page && block.is_program();
    })) << page;
  }
}

TEST(CodeBlocksCompile, AllOfThem) {
  std::vector<CodeBlock> blocks = blocks_below(root);
  ASSERT_FALSE(blocks.empty());
  // The file itself is built with the examples.
  blocks.erase(std::remove_if(blocks.begin(), blocks.end(), is_copy), blocks.end());
  ASSERT_GE(blocks.size(), 6u);
  const Finished result = compile(blocks);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(CodeBlocksCompile, OneThatDoesNotIsToldWithItsPlace) {
  const CodeBlock good{"docs/good.md", 3, "#include <attache/attache.hpp>\nint main() { return 0; }\n", ""};
  const CodeBlock bad{"docs/bad.md", 20, "agent.run(\"text\");\nagent.no_such_call();\n", "wrap: host"};
  const Finished result = compile({good, bad});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("docs/bad.md:21"));
  EXPECT_THAT(result.err, Not(HasSubstr("docs/good.md")));
}

}  // namespace
}  // namespace attache::test
