// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attache::claude {

/// The driver's configuration, with what it takes from the host's environment already taken.
struct Config {
  std::string executable = "claude";
  std::string model;
  std::string system_prompt;
  bool hermetic = false;
  std::string api_key;
  std::string base_url;
  std::string config_dir;
  std::string home;
  bool disable_prompt_caching = false;
  bool partial_messages = true;
  std::optional<std::uint64_t> max_retries;
  std::string search_path;                                  ///< PATH
  std::vector<std::pair<std::string, std::string>> passed;  ///< the variables of pass_environment that are set
};

/// Throws sdk::Failure (invalid): `config_invalid`, or `api_key_required` for a hermetic driver without one.
Config read_config(std::string_view json);

}  // namespace attache::claude
