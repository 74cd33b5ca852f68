// SPDX-License-Identifier: Apache-2.0
// Runs the codex driver against the fake CLI through the SPI's table, as a host would.
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/sdk/spi.h>

#include "fake_host.hpp"
#include "media.hpp"

namespace attache::testing {

/// A request and all that it points at.
class TurnRequest {
 public:
  explicit TurnRequest(std::string prompt);
  TurnRequest(const TurnRequest&) = delete;
  TurnRequest& operator=(const TurnRequest&) = delete;

  /// Adds an input; the caller changes what it wants to be odd.
  attache_input& add(std::uint32_t kind, const std::string& media_type, const std::filesystem::path& path,
                     const std::string& bytes);
  attache_request& raw() noexcept { return request_; }
  const attache_request* get();

 private:
  std::string prompt_;
  std::deque<std::string> texts_;
  std::deque<attache_input> inputs_;
  std::vector<const attache_input*> pointers_;
  attache_request request_{};
};

/// A place of its own: the fake CLI's record, TMPDIR of the host, input files.
class Stage {
 public:
  Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  /// How the next instances' CLI behaves.
  void scenario(const std::string& name);
  std::filesystem::path record(const std::string& name) const { return root_ / "record" / name; }
  bool recorded(const std::string& name) const { return std::filesystem::exists(record(name)); }
  /// Times of the CLI being started can only be 0 or 1 here: whether it was.
  bool started() const { return recorded("start"); }
  nlohmann::ordered_json start() const;
  /// Every message that the CLI read.
  std::vector<nlohmann::ordered_json> messages() const;
  /// The first of this method; null: there is none.
  nlohmann::ordered_json sent(const std::string& method) const;
  /// Writes a file of the run directory.
  std::filesystem::path file(const std::string& name, const std::string& bytes) const;
  std::filesystem::path root() const { return root_; }
  /// Whether the driver left nothing in TMPDIR.
  bool clean() const;
  /// A config whose CLI is the fake one, with `more` merged in.
  std::string config(const std::string& more = "{}") const;

 private:
  std::filesystem::path root_;
};

/// The driver with an instance.
class CodexInstance {
 public:
  using Entry = attache_status (*)(const attache_host*, const attache_driver**);
  explicit CodexInstance(const std::string& config, Entry entry = attache_driver_entry_v1);
  CodexInstance(const CodexInstance&) = delete;
  CodexInstance& operator=(const CodexInstance&) = delete;
  ~CodexInstance();
  attache_status run(TurnRequest& request, const Recorder& host) const;
  const attache_driver* table() const noexcept { return table_; }
  attache_instance* get() const noexcept { return instance_; }

 private:
  const attache_driver* table_ = nullptr;
  attache_instance* instance_ = nullptr;
};

/// Number of open descriptors of this process.
std::size_t open_descriptors();
/// Whether a process of this id runs (a zombie does not).
bool alive(int pid);

}  // namespace attache::testing
