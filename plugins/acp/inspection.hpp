// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/acp.hpp>

#include "config.hpp"

namespace attache::acp {

/// capabilities()'s document: what the configuration leaves of the descriptor.
std::string capabilities_of(const Config& config);

/// inspect()'s document: what the agent's own answer leaves of it.
std::string inspection_of(const sdk::AcpAgent& agent, const Config& config);

}  // namespace attache::acp
