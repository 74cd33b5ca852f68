// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/event.hpp>

namespace attache::cli {

/// What a person watching the run is told about an event, one short line; empty: nothing. Not yet neutralised.
std::string event_line(const Event& event);

}  // namespace attache::cli
