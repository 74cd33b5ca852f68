// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attache::codebuddy {

/// The driver's configuration, with what it takes from the host's environment already taken.
struct Config {
  std::string executable = "codebuddy";
  std::string model;
  std::string effort;
  std::string system_prompt;
  std::string permission_mode = "dontAsk";
  std::vector<std::string> tools;
  bool hermetic = false;
  std::string api_key;  ///< empty: the CLI's own login
  std::string base_url;
  std::string config_dir;
  std::string home;  ///< empty with `hermetic`: one of the process's own
  bool partial_messages = true;
  bool allow_file_mentions = false;
  bool allow_slash_commands = false;
  std::vector<std::string> arguments;
  std::string search_path;                                  ///< PATH
  std::vector<std::pair<std::string, std::string>> passed;  ///< the variables of pass_environment that are set
};

/// Throws sdk::Failure (invalid): `config_invalid`; `api_key_required` for a hermetic driver or a base URL without one;
/// `argument_reserved`; `environment_reserved`.
Config read_config(std::string_view json);

}  // namespace attache::codebuddy
