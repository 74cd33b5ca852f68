// SPDX-License-Identifier: Apache-2.0
// docs/errors.md has every code and every reason that core can give, and no other.
#include "reasons.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <attache/error.hpp>

#include "command/command.hpp"

namespace attache::test {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::Not;
using testing::UnorderedElementsAre;
using Set = std::set<std::string>;

const std::string root = ATTACHE_SOURCE_DIR;

/// Reasons that are put together from pieces, by the literal of the piece.
const std::map<std::string, Set> composed{
    {"{}_invalid", {"capabilities_invalid", "inspection_invalid"}},
    {"{}_widened", {"capabilities_widened", "inspection_widened"}},
    {"directory_", {"directory_other_owner", "directory_writable_by_others"}},
    {"workspace_", {}},  // the beginning of some, to compare with
};

/// Literals of the sources below that are neither reasons nor notices. A new literal belongs here, or is a reason that
/// the scan does not find: then it has to learn how that one is written.
const Set other_words{
    // what failed, where, and words of the API
    "altered", "audio", "capabilities", "delivered", "describe", "descriptor", "directory", "done", "driver", "elf",
    "entry", "exact", "file", "host", "identity", "image", "indeterminate", "input", "inspection", "load", "native",
    "not_delivered", "not_started", "open", "preparation", "probe", "provider_url", "read", "search", "thread_store",
    "trust", "unknown", "version", "video", "workspace_reference", "write",
    // keys and values of JSON
    "assistant", "content", "data", "document", "inputs", "items", "kind", "limits", "parts", "properties", "role",
    "secret", "sha256", "size", "system", "tool", "url", "user", "volatile",
    // names of files and symbols
    "attache_descriptor_v", "attache_descriptor_v1", "attache_driver_entry_v", "attache_driver_entry_v1", "hidden",
    "libasan", "libhwasan", "libmsan", "libtsan", "libubsan", "main", "placement", "private", "providers", "run_base",
    "wal", "workspace",
    // formats
    "aarch64", "avif", "avis", "base64", "free", "ftyp", "header", "heic", "heim", "heis", "heix", "hevc", "hevx",
    "mdat", "mif1", "moov", "msf1", "obj", "pnot", "skip", "startxref", "text", "trailer", "wide", "xref"};

/// Everything of core but the reader of descriptors, whose faults have a place and a sentence and no reason.
Slugs core() {
  Slugs all;
  for (const auto& folder : std::filesystem::directory_iterator(root + "/core/src")) {
    if (!folder.is_directory() || folder.path().filename() == "descriptor") continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::filesystem::path& file = entry.path();
      const bool source = file.extension() == ".cpp" || file.extension() == ".hpp";
      // The table of the codes.
      if (source && file.filename() != "error.cpp") scan(read_file(file.string()), all);
    }
  }
  return all;
}

Set keys(const std::map<std::string, Set>& map) {
  Set out;
  for (const auto& [key, value] : map) out.insert(key);
  return out;
}

Set without(Set from, const Set& these) {
  for (const std::string& one : these) from.erase(one);
  return from;
}

Set all_reasons(const Slugs& slugs) {
  Set all = keys(slugs.reasons);
  for (const auto& [part, whole] : composed) all.insert(whole.begin(), whole.end());
  return all;
}

TEST(ReasonScan, FindsAPlantedReasonHoweverItIsWritten) {
  Slugs slugs;
  scan(R"x(
    #include "planted_header"
    throw Error(errc::internal, "planted_error", "a sentence");          // errc::internal, "in_a_comment"
    throw InputError(errc::input_invalid, dropped ? "planted_one" : "planted_two", "text", {});
    /* FaultError(errc::internal, "in_another_comment") */
    return {Stage::load, "planted_stage", fmt::format("{}", "a word"), "hint"};
    findings.add(subject, invalid("planted_helper", "its name is not there"));
    const auto fault = ContentFault{"planted_brace", "text"};
    return {"planted_return", std::move(text)};
    out.reason = bad ? "planted_assigned" : told.reason;
    if (out.reason == "only_compared") return 1'000;
    need(descriptor.features.x, descriptor, "planted_feature");
    recorder->note({"planted_notice", "A sentence.", id});
    return {"planted_returned_notice", "A sentence.", {}};
    const char* word = "planted_word"; const char c = '"';
    text = fmt::format("{}_planted", what);
    where = "input \"quoted_word\" with blanks";
  )x",
       slugs);
  EXPECT_EQ(keys(slugs.reasons), (Set{"planted_error", "planted_one", "planted_two", "planted_stage", "planted_helper",
                                      "planted_brace", "planted_return", "planted_assigned", "planted_feature"}));
  EXPECT_THAT(slugs.reasons["planted_error"], UnorderedElementsAre("internal"));
  EXPECT_THAT(slugs.reasons["planted_two"], UnorderedElementsAre("input_invalid"));
  EXPECT_THAT(slugs.notices, UnorderedElementsAre("planted_notice", "planted_returned_notice"));
  EXPECT_THAT(slugs.words, Contains("planted_word"));
  EXPECT_THAT(slugs.words, Contains("only_compared"));
  EXPECT_THAT(slugs.words, Not(Contains("in_a_comment")));
  EXPECT_THAT(slugs.words, Not(Contains("quoted_word")));
  EXPECT_THAT(slugs.words, Not(Contains("planted_header")));
  EXPECT_THAT(slugs.parts, UnorderedElementsAre("{}_planted"));
}

TEST(ReasonScan, FindsAReasonThatIsPlantedInAFileOfATree) {
  const TemporaryDirectory tree;
  tree.write("core/new.cpp", "throw Error(errc::internal, \"planted\", \"text\");\n");
  tree.write("core/notes.md", "errc::internal, \"not_a_source\"\n");
  EXPECT_EQ(keys(scan_sources(tree.path()).reasons), Set{"planted"});
}

TEST(ReasonScan, ReadsTheRowsOfTheRightTables) {
  const auto listed = listed_slugs(
      "| reason | code |\n|---|---|\n| `one`, `two` | `code_a`, `code_b` |\n\n| reason of another | code |\n|---|---|\n"
      "| `three` | `code_c` |\n",
      "| reason |");
  EXPECT_EQ(keys(listed), (Set{"one", "two"}));
  EXPECT_EQ(listed.at("two"), (Set{"code_a", "code_b"}));
}

TEST(Reasons, EachOneOfCoreIsInTheTables) {
  const Set listed = keys(listed_slugs(read_file(root + "/docs/errors.md"), "| reason |"));
  EXPECT_GE(listed.size(), 100u);
  EXPECT_THAT(without(all_reasons(core()), listed), IsEmpty()) << "not in docs/errors.md";
  EXPECT_THAT(without(listed, all_reasons(core())), IsEmpty()) << "in docs/errors.md, and in no source";
}

TEST(Reasons, EachOneIsListedWithTheCodesItComesWith) {
  const auto listed = listed_slugs(read_file(root + "/docs/errors.md"), "| reason |");
  for (const auto& [reason, codes] : core().reasons) {
    const auto row = listed.find(reason);
    EXPECT_THAT(codes, IsSubsetOf(row == listed.end() ? Set{} : row->second)) << reason;
  }
}

TEST(Reasons, NoLiteralEscapesTheScan) {
  const Slugs slugs = core();
  Set rest = without(without(slugs.words, all_reasons(slugs)), slugs.notices);
  EXPECT_THAT(without(rest, other_words), IsEmpty()) << "a reason in a new spelling, or one of other_words";
  EXPECT_THAT(without(other_words, rest), IsEmpty()) << "of other_words, and in no source";
  EXPECT_EQ(without(slugs.parts, {"attache_descriptor_v", "attache_driver_entry_v"}), keys(composed));
}

TEST(Reasons, TheReaderOfDescriptorsHasNone) {
  for (const auto& entry : std::filesystem::directory_iterator(root + "/core/src/descriptor")) {
    const std::string source = read_file(entry.path().string());
    for (const char* word : {"errc", "Error", "Stage::"}) {
      EXPECT_EQ(source.find(word), std::string::npos) << entry.path() << ": " << word;
    }
  }
}

TEST(Reasons, EachNoticeOfCoreIsListed) {
  Set listed = keys(listed_slugs(read_file(root + "/docs/streaming.md"), "| notice |"));
  listed.merge(keys(listed_slugs(read_file(root + "/docs/threads.md"), "| notice |")));
  EXPECT_EQ(core().notices, listed);
}

TEST(Reasons, TheTableOfTheSdkHasWhatItsHelpersThrow) {
  Set listed = keys(listed_slugs(read_file(root + "/docs/errors.md"), "| reason of the SDK |"));
  listed.insert("unspecified");  // a row of core's: it gives the same
  Slugs slugs;
  for (const char* folder : {"/sdk/include", "/sdk/src"}) {
    const Slugs found = scan_sources(root + folder);
    slugs.reasons.insert(found.reasons.begin(), found.reasons.end());
    slugs.words.insert(found.words.begin(), found.words.end());
  }
  EXPECT_THAT(keys(slugs.reasons), Contains("turn_not_read"));
  EXPECT_THAT(without(keys(slugs.reasons), listed), IsEmpty()) << "not in docs/errors.md";
  EXPECT_THAT(without(listed, slugs.words), IsEmpty()) << "in docs/errors.md, and in no source";
}

TEST(Codes, TheTableHasEachWithItsNumberAndText) {
  const std::string page = read_file(root + "/docs/errors.md");
  std::size_t codes = 0;
  for (int number = -1; number < 1000; ++number) {
    const auto code = static_cast<errc>(number);
    if (to_string(code) == "unknown") continue;
    ++codes;
    const std::string row = "\n| `" + std::string(to_string(code)) + "` | " + std::to_string(number) + " | " +
                            make_error_code(code).message() + " | ";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(codes, listed_slugs(page, "| code |").size());
}

}  // namespace
}  // namespace attache::test
