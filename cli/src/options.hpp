// SPDX-License-Identifier: Apache-2.0
// Options that several verbs share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <attache/agent.hpp>
#include <attache/host.hpp>
#include <attache/input.hpp>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace attache::cli {

/// Where drivers are looked for.
class PlaceOptions {
 public:
  void add_to(CLI::App& app);
  HostOptions host_options() const;

 private:
  std::vector<std::string> directories_;
};

/// The driver and its configuration.
class AgentArguments {
 public:
  void add_to(CLI::App& app);
  /// Loads the driver. Throws LoadError, and Error (config_invalid).
  Agent make_agent() const;

 private:
  std::string config(const Descriptor& descriptor) const;

  PlaceOptions places_;
  std::string id_, config_, config_file_, workspace_;
  std::vector<std::string> settings_;
  bool exact_ = false;
};

/// Inputs, in the order of the command line across all kinds.
class InputArguments {
 public:
  void add_to(CLI::App& app);
  /// After parsing. Throws CLI::ParseError for an option about an input with no input before it.
  std::vector<input::Input> inputs() const;
  /// Of the files together, as far as they can be seen now.
  std::uint64_t bytes() const;

 private:
  CLI::App* app_ = nullptr;
  std::vector<std::string> image_, file_, audio_, video_, media_type_, name_;
  std::string require_;
};

}  // namespace attache::cli
