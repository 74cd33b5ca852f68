// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attache::conformance {

/// Puts the calling thread, and all it starts, under the filter. Returns the listener, or -1 (errno is set).
int install_watch_filter() noexcept;

}  // namespace attache::conformance
