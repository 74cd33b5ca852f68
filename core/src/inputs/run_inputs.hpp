// SPDX-License-Identifier: Apache-2.0
// declare → peek → negotiate → materialize → clean, for the inputs of one run.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <attache/agent.hpp>
#include <attache/descriptor.hpp>
#include <attache/input.hpp>
#include <attache/result.hpp>

namespace attache::inputs {

class RunDirectory;
struct FileIdentity;

/// What the inputs of a run are judged by.
struct Terms {
  const Descriptor* descriptor = nullptr;
  const InputCapabilities* capabilities = nullptr;  ///< effective: descriptor ∩ config (∩ inspection)
  InputLimits limits;
  input::Fidelity fidelity = input::Fidelity::any;  ///< the agent's; an input may ask for more
  std::filesystem::path run_base;                   ///< empty: default
  std::filesystem::path workspace;                  ///< empty: none
  std::uint64_t prompt_bytes = 0;                   ///< counts into the set's encoded total
  bool inspected = false;                           ///< the capabilities are what a live inspection confirmed
  bool allow_provider_urls = false;
  std::vector<std::string> provider_url_hosts;           ///< empty: any
  std::function<void(const Diagnostic&)> diagnostics{};  ///< called by several threads at once
};

/// The inputs of one run, materialized, and the run directory that holds them. Move-only. With nothing to copy (no
/// inputs, or only URLs) no directory is made. A URL has size 0, a digest of zeros and an empty path: nothing is known
/// of what it leads to.
class RunInputs {
 public:
  /// Declares, peeks, negotiates and materializes. Throws InputError (lowest index first) or
  /// Error(cancelled); then nothing is left on disk and every source is closed.
  static RunInputs prepare(const std::vector<input::Input>& inputs, const Terms& terms, std::stop_token stop);

  RunInputs();
  RunInputs(RunInputs&&) noexcept;
  RunInputs& operator=(RunInputs&&) noexcept;
  ~RunInputs();  ///< remove()

  const std::vector<ResolvedInput>& resolved() const noexcept;
  /// Absolute path of input `i`'s copy; empty for a URL. Never leaves core but to the driver.
  const std::string& local_path(std::size_t i) const noexcept;
  /// The URL of input `i`; empty for what was copied. Never leaves core but to the driver.
  const std::string& url(std::size_t i) const noexcept;
  /// That of input `i`'s copy; null where it is not known.
  const FileIdentity* identity(std::size_t i) const noexcept;
  bool wants_exact(std::size_t i) const noexcept;
  bool inside_exact_bounds(std::size_t i) const noexcept;
  /// The run directory; null when nothing was copied.
  RunDirectory* run_directory() noexcept;
  /// Its path; empty when nothing was copied.
  const std::string& directory() const noexcept;
  /// The run's directory in the workspace; empty when nothing was placed there.
  const std::string& placement() const noexcept;
  /// Removes the directories and all in them. Idempotent.
  void remove() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Declares and negotiates all inputs, collecting every violation. Openers are not called.
Plan plan(const std::vector<input::Input>& inputs, const Terms& terms);

}  // namespace attache::inputs
