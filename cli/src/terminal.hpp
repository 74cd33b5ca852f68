// SPDX-License-Identifier: Apache-2.0
// The two output streams of this process.
#pragma once

#include <string_view>

namespace attache::cli {

enum class Channel { out = 1, err = 2 };

bool is_terminal(Channel channel) noexcept;

/// Writes all of it, waiting as long as the reader needs. False: the reader is gone (or the stream is closed).
bool write_all(Channel channel, std::string_view bytes) noexcept;

/// From here on a reader that goes away is a failed write, not the end of this process.
void survive_broken_pipes() noexcept;

}  // namespace attache::cli
