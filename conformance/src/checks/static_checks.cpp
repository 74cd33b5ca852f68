// SPDX-License-Identifier: Apache-2.0
#include "checks/static_checks.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attache::conformance {
namespace {

constexpr std::string_view file_not_readable[] = {"not_found", "not_regular",   "unreadable",
                                                  "too_small", "not_a_library", "other_platform"};
constexpr std::string_view file_not_whole[] = {"truncated", "malformed"};
constexpr std::string_view no_descriptor[] = {"no_descriptor", "other_spi_major"};

template <std::size_t N>
bool is_one_of(const std::string& reason, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), reason) != std::end(words);
}

CheckResult pass(const char* id, std::vector<std::string> evidence) {
  return {id, {}, Outcome::pass, {}, std::move(evidence)};
}
CheckResult fail(const char* id, std::string reason, std::vector<std::string> evidence = {}) {
  return {id, {}, Outcome::fail, std::move(reason), std::move(evidence)};
}
CheckResult not_run(const char* id, std::string reason) {
  return {id, {}, Outcome::not_run, std::move(reason), {}};
}

CheckResult is_library(const FileReport& file) {
  if (is_one_of(file.reason, file_not_readable)) return fail("FILE-001", file.text, {"reason: " + file.reason});
  return pass("FILE-001", {fmt::format("{} bytes", file.size)});
}

CheckResult is_whole(const FileReport& file) {
  if (is_one_of(file.reason, file_not_readable)) return not_run("FILE-002", "FILE-001 failed");
  if (is_one_of(file.reason, file_not_whole)) return fail("FILE-002", file.text, {"reason: " + file.reason});
  return pass("FILE-002", {});
}

CheckResult exports(const FileReport& file) {
  std::vector<std::string> expected = {"attache_descriptor_v1", "attache_driver_entry_v1"};
  std::vector<std::string> found = file.exported_symbols;
  std::sort(found.begin(), found.end());
  std::vector<std::string> missing, extra;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(extra));
  if (missing.empty() && extra.empty()) return pass("FILE-003", {fmt::format("{}", fmt::join(found, ", "))});
  std::vector<std::string> evidence;
  for (const auto& name : missing) evidence.push_back("missing: " + name);
  for (std::size_t i = 0; i < std::min<std::size_t>(extra.size(), 5); ++i) evidence.push_back("extra: " + extra[i]);
  return fail("FILE-003", fmt::format("{} of our symbols missing, {} others exported", missing.size(), extra.size()),
              evidence);
}

CheckResult unique_symbols(const FileReport& file) {
  if (file.has_unique_symbols) return fail("FILE-004", "a symbol is exported as unique in the process");
  return pass("FILE-004", {});
}

CheckResult run_paths(const FileReport& file) {
  for (const auto& path : file.run_paths) {
    bool absolute = path.starts_with("/");
    bool beside = path == "$ORIGIN" || path.starts_with("$ORIGIN/") || path.starts_with("${ORIGIN}");
    if (!absolute && !beside) return fail("FILE-005", "a run path depends on the working directory");
  }
  return pass("FILE-005", {fmt::format("{} run paths", file.run_paths.size())});
}

CheckResult descriptor_present(const FileReport& file) {
  if (is_one_of(file.reason, no_descriptor)) return fail("DESC-001", file.text, {"reason: " + file.reason});
  return pass("DESC-001", {});
}

CheckResult descriptor_valid(const FileReport& file) {
  if (is_one_of(file.reason, no_descriptor)) return not_run("DESC-002", "DESC-001 failed");
  if (file.descriptor) return pass("DESC-002", {fmt::format("{} bytes", file.descriptor->json.size())});
  std::vector<std::string> evidence;
  for (const auto& fault : file.faults) evidence.push_back(fmt::format("{}: {}", fault.pointer, fault.text));
  return fail("DESC-002", fmt::format("{} faults in the descriptor", file.faults.size()), evidence);
}

}  // namespace

const std::vector<std::string>& static_check_ids() {
  static const std::vector<std::string> ids = {"FILE-001", "FILE-002", "FILE-003", "FILE-004",
                                               "FILE-005", "DESC-001", "DESC-002"};
  return ids;
}

std::vector<CheckResult> static_checks(const FileReport& file) {
  std::vector<CheckResult> results = {is_library(file), is_whole(file)};
  bool readable = results[0].outcome == Outcome::pass && results[1].outcome == Outcome::pass;
  if (readable) {
    for (auto* check : {exports, unique_symbols, run_paths, descriptor_present, descriptor_valid}) {
      results.push_back(check(file));
    }
  } else {
    for (const char* id : {"FILE-003", "FILE-004", "FILE-005", "DESC-001", "DESC-002"}) {
      results.push_back(not_run(id, "the file cannot be read as a library"));
    }
  }
  return results;
}

}  // namespace attache::conformance
