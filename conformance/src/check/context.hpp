// SPDX-License-Identifier: Apache-2.0
// What a job has in its own process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <attache/descriptor.hpp>

#include "canary/canary.hpp"
#include "check/result.hpp"
#include "check/watch.hpp"
#include "wire/dialect.hpp"

namespace attache::conformance {

/// What the kit tells the process of a job, in a file.
struct JobSpec {
  std::filesystem::path plugin, scratch;
  std::string job, cell;
  std::uint64_t seed = 0;
  std::filesystem::path provider;  ///< executable of a real provider; empty: the stand-in
  std::string config;  ///< JSON object of the kit's user, merged over the descriptor's test config; may be empty
  std::int64_t limit_ms = 0;
  /// Begins every line on the channel, so that nothing a driver writes there passes for the kit's word. Not in the
  /// file, which the driver could read: the job's process gets it over standard input.
  std::string token;

  void save(const std::filesystem::path& file) const;
  static JobSpec load(const std::filesystem::path& file);
};

/// Collects what is wrong at one check.
class Finding {
 public:
  /// `reason` is kept when `holds` is false; the first one becomes the result's, the others evidence.
  bool expect(bool holds, const std::string& reason);
  void evidence(std::string line) { evidence_.push_back(std::move(line)); }
  bool failed() const noexcept { return !faults_.empty(); }

 private:
  friend class JobContext;
  std::vector<std::string> faults_, evidence_;
};

/// Facts for a job and its way to report. One thread. Scratch folders are private to the job and removed after it.
class JobContext {
 public:
  JobContext(JobSpec spec, const Watch& watch, int channel);

  const JobSpec& spec() const noexcept { return spec_; }
  const std::string& cell() const noexcept { return spec_.cell; }
  const FileReport& file() const noexcept { return file_; }
  const Descriptor& descriptor() const noexcept { return *file_.descriptor; }
  /// Of the descriptor's protocol; jobs that need it are not started without it.
  const Dialect& dialect() const noexcept { return *dialect_; }
  const Watch& watch() const noexcept { return watch_; }
  Random& random() noexcept { return random_; }
  /// A new private folder with an unguessable last component.
  std::filesystem::path folder(const std::string& prefix);
  /// Of the smallest size, or of about `size` bytes.
  Canary canary(input::Kind kind, std::string_view media_type, std::uint64_t size = 0);
  /// The driver's config with the stand-in `executable`; `more`: a JSON object merged over its test config.
  std::string config(const std::filesystem::path& executable, const std::string& more = {}) const;

  void begin(const std::string& id);
  void stage(const std::string& name);
  /// Passes when nothing was found.
  void report(const std::string& id, const Finding& finding);
  /// `finding`: its evidence is told all the same.
  void not_applicable(const std::string& id, const std::string& why, const Finding& finding = {});
  void not_run(const std::string& id, const std::string& why);
  /// Without what a report must not hold: folders of the kit, marks of canaries.
  std::string scrubbed(std::string text) const;
  /// For checks that rest on the kernel's counts: false, and the check is reported as not run, when there are none.
  bool needs_watch(const std::string& id);

 private:
  void send(CheckResult result);
  JobSpec spec_;
  const Watch& watch_;
  int channel_;
  FileReport file_;
  std::optional<Dialect> dialect_;
  Random random_;
  std::vector<std::string> marks_;
};

}  // namespace attache::conformance
