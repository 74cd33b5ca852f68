// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attache::codex {

/// The driver's configuration, with what it takes from the host's environment already taken.
struct Config {
  std::string executable = "codex";
  std::string model;
  std::string reasoning_effort;
  std::string system_prompt;
  std::string sandbox = "read-only";
  bool hermetic = false;
  std::string api_key;  ///< empty: the CLI's own login
  std::string base_url;
  std::string codex_home;  ///< empty: the CLI's default, or with `hermetic` one of the process's own
  std::string home;
  std::string model_catalog;
  std::optional<std::uint64_t> max_retries;
  std::uint64_t resident_idle_s = 300;
  std::vector<std::string> overrides;
  std::string search_path;                                  ///< PATH
  std::vector<std::pair<std::string, std::string>> passed;  ///< the variables of pass_environment that are set
};

/// Throws sdk::Failure (invalid): `config_invalid`; `api_key_required` for a hermetic driver or a base URL without
/// one; `override_reserved`; `retries_need_api_key`.
Config read_config(std::string_view json);

}  // namespace attache::codex
