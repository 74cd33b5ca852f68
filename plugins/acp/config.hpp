// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <attache/sdk/acp.hpp>

namespace attache::acp {

/// The driver's configuration, with what it takes from the host's environment already taken.
struct Config {
  std::string executable;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>>
      environment;          ///< also the variables of pass_environment that are set
  std::string search_path;  ///< PATH
  std::string home;         ///< empty: one of the process's own
  bool embedded_blobs = false;
  sdk::AcpOptions options;
};

/// Throws sdk::Failure (invalid): `config_invalid`; `executable_required`; `variable_reserved` for a variable that the
/// driver sets itself.
Config read_config(std::string_view json);

}  // namespace attache::acp
