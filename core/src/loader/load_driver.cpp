// SPDX-License-Identifier: Apache-2.0
#include "loader/load_driver.hpp"

#include <fmt/format.h>

#include "loader/driver_table.hpp"
#include "loader/installation.hpp"
#include "loader/open_library.hpp"
#include "loader/plugin_file.hpp"
#include "loader/probe_child.hpp"
#include "loader/registry.hpp"

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

StepResult enter(const StaticCheck& check, OpenLibrary& library, LoadedDriver& out) {
  StepResult result = open_library(*check.file, library);
  if (result.failed()) return result;
  result = enter_driver(library.entry, *check.report.descriptor, out.table);
  if (result.failed()) return result;
  out.descriptor = *check.report.descriptor;
  out.path = check.file->real_path();
  out.facts = check.file->facts();
  return {};
}

/// Whether nobody wrote to a file in between. Its rights, its links and so its changed time may be others.
bool same_content(const FileFacts& a, const FileFacts& b) noexcept {
  return a.size == b.size && a.modified_ns == b.modified_ns;
}

/// Whether the file a driver was loaded from is on the host's list. Asked only when another file has its id.
bool trusts(const HostOptions& options, const LoadedDriver& driver) {
  const BoundedFile::Opened opened = BoundedFile::open(driver.path);
  if (!opened.file || opened.file->facts() != driver.facts) return false;
  const std::optional<std::string> digest = digest_of(*opened.file);
  return digest && opened.file->unchanged() && trusts(options, *digest);
}

/// The answer when the registry has the file or its id already; nothing when it has neither.
std::optional<LoadResult> known(const StaticCheck& check, const HostOptions& options, OtherFile other) {
  LoadResult out;
  if (auto same = registry().find_file(check.file->facts())) {
    if (same_content(same->facts, check.file->facts())) {
      out.driver = std::move(same);
    } else {
      out.result = {Stage::identity, "changed_since_load", "the file was written to after it was loaded",
                    "restart the host; replace files by rename, never in place"};
    }
    return out;
  }
  auto first = registry().find_id(check.report.descriptor->id);
  if (!first) return std::nullopt;
  if (other == OtherFile::refuse && first->path != check.file->real_path()) {
    out.result = {Stage::load, "id_in_use", "a driver with this id is already loaded from another file",
                  fmt::format("load it in another process; this one has {}", first->path.string())};
  } else if (!options.trusted_sha256.empty() && !trusts(options, *first)) {
    out.result = {Stage::trust, "not_trusted", "the driver with this id that is loaded is not on the host's list",
                  "load it in another process"};
  } else {
    out.driver = std::move(first);
  }
  return out;
}

}  // namespace

StepResult load_in_process(const StaticCheck& check, LoadedDriver& out) {
  OpenLibrary library;
  return enter(check, library, out);
}

LoadResult load_checked(const StaticCheck& check, const HostOptions& options, OtherFile other) {
  if (auto answer = known(check, options, other)) return *answer;
  LoadResult out;
  if (options.probe && !trusts(options, check.report.sha256)) {
    out.result = probe_in_child(installed_probe(options), check.file->real_path(), probe_time_limit);
    if (out.result.failed()) return out;
  }
  const std::lock_guard lock(registry().loading());
  if (auto answer = known(check, options, other)) return *answer;
  OpenLibrary library;
  auto driver = std::make_shared<LoadedDriver>();
  out.result = enter(check, library, *driver);
  if (library.library != nullptr) registry().keep(std::move(library.library));
  if (out.result.failed()) return out;
  out.driver = driver;
  registry().add(driver);
  return out;
}

}  // namespace attache
