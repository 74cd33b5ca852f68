// SPDX-License-Identifier: Apache-2.0
#include "loader/search.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "loader/file_policy.hpp"
#include "loader/installation.hpp"

namespace attache {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;

constexpr std::size_t max_files = 4096;

/// The libraries of a directory, by name. False: it cannot be listed, or holds too many files.
bool list_libraries(const fs::path& directory, std::vector<fs::path>& out) {
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (std::size_t count = 0; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (++count > max_files) return false;
    if (entry->path().extension() == ".so") out.push_back(entry->path());
  }
  std::sort(out.begin(), out.end());
  return !error;
}

}  // namespace

std::vector<fs::path> search_directories(const HostOptions& options) {
  std::vector<fs::path> out = options.directories;
  if (options.installed_directory) out.push_back(installed_driver_directory(options));
  if (options.directories_variable.empty()) return out;
  const char* value = std::getenv(options.directories_variable.c_str());
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(':'));
    if (!item.empty()) out.emplace_back(item);
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
  }
  return out;
}

void search(const HostOptions& options, LoadReport& report,
            const std::function<bool(const fs::path&, StaticCheck&)>& visit) {
  for (const fs::path& directory : search_directories(options)) {
    StepResult usable = check_directory(directory, options);
    std::vector<fs::path> files;
    if (!usable.failed() && !list_libraries(directory, files)) {
      usable = {Stage::search, "unreadable",
                fmt::format("the directory cannot be listed, or holds more than {} files", max_files),
                "check its permissions, and keep only drivers in it"};
    }
    if (!usable.failed() && files.empty()) {
      usable = {Stage::search, "empty", "the directory holds no library", "put driver files (*.so) into it"};
    }
    if (usable.failed()) report.attempts.push_back(attempt_at(directory, usable, ""));
    for (const fs::path& file : usable.failed() ? std::vector<fs::path>{} : files) {
      StaticCheck check = check_statically(file, options);
      if (!visit(file, check)) return;
    }
  }
}

LoadAttempt attempt_at(const fs::path& place, const StepResult& result, std::string id) {
  return {place.string(), result.stage, result.reason, result.text, result.hint, std::move(id)};
}

}  // namespace attache
