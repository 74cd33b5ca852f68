// SPDX-License-Identifier: Apache-2.0
#include "requirements.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace attache::test {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_built(const std::filesystem::path& source) {
  return content_of(source.parent_path() / "CMakeLists.txt").find(source.filename().string()) != std::string::npos;
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i) found.push_back((*i)[1].str());
  return found;
}

const std::regex& test_name() {
  static const std::regex name(R"(`(\w+\.\w+)`)");
  return name;
}

/// R-A1 as it stands in the name of a test: R_A1, and not the R_A1 of R_A12.
bool carries(const std::string& test, const std::string& id) {
  static const std::regex each(R"((R_[A-Z]\d+))");
  const std::vector<std::string> ids = matches(test, each);
  return std::find(ids.begin(), ids.end(), "R_" + id.substr(2)) != ids.end();
}

}  // namespace

std::set<std::string> tests_below(const std::string& directory) {
  static const std::regex test(R"(^TEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
  std::set<std::string> tests;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.path().extension() != ".cpp" || !is_built(entry.path())) continue;
    for (const std::string& line : lines_of(content_of(entry.path()))) {
      std::smatch found;
      if (std::regex_search(line, found, test)) tests.insert(found[1].str() + "." + found[2].str());
    }
  }
  return tests;
}

std::vector<std::string> faults_of(std::string_view page, const std::set<std::string>& tests, std::size_t& rows) {
  std::vector<std::string> faults;
  rows = 0;
  bool without_tests = false;
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("## ")) without_tests = line == "## Deviations" || line == "## Field cases of later issues";
    const bool heading = line.starts_with("| bullet |") || line.starts_with("| case |");
    if (without_tests || !line.starts_with("| ") || heading) continue;
    ++rows;
    const std::vector<std::string> named = matches(line, test_name());
    if (named.empty()) faults.push_back("names no test: " + line);
    for (const std::string& one : named) {
      if (tests.count(one) == 0) faults.push_back("is not there: " + one);
    }
  }
  return faults;
}

std::vector<std::string> case_faults_of(std::string_view page) {
  static const std::regex row(R"(^\| (R-[A-Z]\d+) \| [^| ][^|]* \| [^| ][^|]*\|)"), issue(R"(\bissue \d+\b)");
  std::vector<std::string> faults;
  std::multiset<std::string> listed;
  for (const std::string& line : lines_of(page)) {
    std::smatch found;
    if (!std::regex_search(line, found, row)) continue;
    const std::string id = found[1].str();
    listed.insert(id);
    const std::vector<std::string> named = matches(line, test_name());
    if (!named.empty() && std::none_of(named.begin(), named.end(), [&](const auto& one) { return carries(one, id); })) {
      faults.push_back(id + " has no test with its id");
    }
    if (named.empty() && !std::regex_search(line, issue)) faults.push_back(id + " has neither test nor issue");
  }
  const std::pair<char, int> letters[] = {{'A', 12}, {'B', 4},  {'C', 8}, {'D', 4}, {'E', 9},
                                          {'F', 10}, {'G', 12}, {'H', 3}, {'I', 6}, {'J', 2},
                                          {'K', 2},  {'L', 3},  {'M', 5}, {'N', 1}, {'O', 1}};
  for (const auto& [letter, count] : letters) {
    for (int number = 1; number <= count; ++number) {
      const std::string id = std::string("R-") + letter + std::to_string(number);
      if (listed.count(id) != 1) faults.push_back(id + " has " + std::to_string(listed.count(id)) + " rows");
      listed.erase(id);
    }
  }
  for (const std::string& id : listed) faults.push_back(id + " is no case");
  return faults;
}

}  // namespace attache::test
