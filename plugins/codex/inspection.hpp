// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config.hpp"
#include "limits.hpp"
#include "models.hpp"

namespace attache::codex {

/// Asks a CLI of its own for version, account, quota and models, and gives inspect()'s document. Delivers nothing.
/// Throws sdk::Failure: launch_failed, provider_failed, timeout.
std::string inspect(const Config& config);

/// What an inspection found out.
struct Found {
  Version version{};
  bool by_key = false;  ///< the driver has an API key; the account does not count
  std::string account;  ///< reply to account/read, JSON text
  std::string quota;    ///< reply to account/rateLimits/read, JSON text; empty: not told
  std::vector<Model> models;
};

/// inspect()'s document. `wanted`: the configured model, empty for the CLI's default.
std::string inspection_of(const Found& found, const std::string& wanted);

}  // namespace attache::codex
