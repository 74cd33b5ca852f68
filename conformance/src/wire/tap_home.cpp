// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "wire/capture.hpp"
#include "wire/dialect_impl.hpp"
#include "wire/kit_paths.hpp"
#include "wire/records.hpp"

namespace attache::conformance {
namespace fs = std::filesystem;

TapHome::TapHome(fs::path directory, Dialect dialect)
    : directory_(std::move(directory)), executable_(directory_ / dialect.command()), dialect_(std::move(dialect)) {}

TapHome TapHome::install(const fs::path& directory, const Dialect& dialect, const std::string& scenario) {
  if (dialect.transport() != "process" || dialect.scenario(scenario) == nullptr) {
    throw std::invalid_argument("dialect " + dialect.id() + " has no process answer \"" + scenario + "\"");
  }
  const fs::path tap = kit_tap();
  if (tap.empty()) {
    throw std::runtime_error("attache-tap is not installed beside this program");
  }
  TapHome home(fs::absolute(directory), dialect);
  fs::create_directories(home.directory_ / "records");
  fs::remove(home.executable_);  // of an earlier installation; copying over a link to the tap itself would fail
  std::error_code no_link;
  fs::create_hard_link(tap, home.executable_, no_link);
  if (no_link) {  // another file system, or links to the installation are not allowed
    fs::copy_file(tap, home.executable_);
  }
  fs::copy_file(dialect.file(), home.directory_ / (dialect.id() + ".json"), fs::copy_options::overwrite_existing);
  std::ofstream out(home.directory_ / "tap.json", std::ios::binary | std::ios::trunc);
  out << Json{{"dialect", dialect.id()}, {"scenario", scenario}}.dump();
  out.close();
  if (!out) {
    throw std::runtime_error("the tap's folder cannot be written");
  }
  return home;
}

std::vector<Capture> TapHome::captures() const {
  std::vector<Capture> list;
  for (const fs::path& folder : record_folders(directory_ / "records")) {
    list.push_back(read_record(folder, dialect_));
  }
  return list;
}

std::size_t TapHome::starts() const {
  return record_folders(directory_ / "records").size();
}

}  // namespace attache::conformance
