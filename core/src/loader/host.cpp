// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <fmt/format.h>

#include <attache/host.hpp>

#include "loader/load_driver.hpp"
#include "loader/search.hpp"

namespace attache {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;

std::string id_of(const StaticCheck& check) {
  return check.report.descriptor ? check.report.descriptor->id : "";
}

[[noreturn]] void refuse(const StepResult& result, LoadReport report) {
  const errc code = result.reason == "not_found" ? errc::driver_not_found : errc::driver_refused;
  throw LoadError(code, result.reason, fmt::format("the driver was not loaded: {}", result.text), std::move(report));
}

}  // namespace

Host::Host(HostOptions options) : options_(std::move(options)) {}

Driver Host::driver(std::string_view id) const {
  LoadReport report;
  std::optional<StepResult> by_name;  // why a file with the right name was passed over
  const fs::path expected = fmt::format("attache-driver-{}.so", id);
  LoadResult loaded;
  search(options_, report, [&](const fs::path& path, StaticCheck& check) {
    const bool wanted = id_of(check) == id;
    if (wanted && !check.result.failed()) loaded = load_checked(check, options_, OtherFile::first_wins);
    const StepResult& result = wanted && !check.result.failed() ? loaded.result : check.result;
    report.attempts.push_back(attempt_at(path, result, id_of(check)));
    if (wanted) by_name = result;
    if (!by_name && result.failed() && path.filename() == expected) by_name = result;
    return !wanted;
  });
  if (loaded.driver) return DriverAccess::make(std::move(loaded.driver));
  if (by_name) refuse(*by_name, std::move(report));
  throw LoadError(errc::driver_not_found, "not_found",
                  fmt::format("no driver with the id {} in the directories searched", id), std::move(report));
}

Driver Host::driver_from_file(const fs::path& path) const {
  const StaticCheck check = check_statically(path, options_);
  LoadResult loaded;
  loaded.result = check.result;
  if (!check.result.failed()) loaded = load_checked(check, options_, OtherFile::refuse);
  if (loaded.driver) return DriverAccess::make(std::move(loaded.driver));
  refuse(loaded.result, LoadReport{{attempt_at(path, loaded.result, id_of(check))}});
}

DriverListing Host::list() const {
  DriverListing out;
  std::map<std::string, fs::path> first;
  search(options_, out.report, [&](const fs::path& path, StaticCheck& check) {
    const std::string id = id_of(check);
    add_digest(check, options_);
    StepResult result = check.result;
    if (!result.failed()) {
      const auto [place, added] = first.emplace(id, path);
      if (!added) {
        result = {Stage::search, "shadowed",
                  fmt::format("{} has the same id and is found first", place->second.string()),
                  "remove one of the two"};
      }
    }
    out.report.attempts.push_back(attempt_at(path, result, id));
    if (!result.failed()) {
      out.files.push_back(std::move(check.report));
      out.paths.push_back(path);
    }
    return true;
  });
  return out;
}

}  // namespace attache
