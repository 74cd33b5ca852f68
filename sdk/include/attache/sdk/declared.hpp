// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <attache/sdk/request.hpp>

namespace attache::sdk {

/// Refuses what the driver's own descriptor does not declare, for a host that did not look: call it before anything
/// is started. run_process_turn() does. `descriptor_json` is Run::descriptor(). Throws Failure with the index of the
/// first such input: unsupported_kind, unsupported_mode, unsupported_media_type; internal (descriptor_unreadable).
/// Any thread. \since 0.1
void require_declared(const Request& request, std::string_view descriptor_json);

}  // namespace attache::sdk
