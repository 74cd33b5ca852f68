// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace attache::threads {

inline constexpr std::size_t kLongestKey = 4096;

/// Throws Error (errc::thread_store, key_invalid): empty, longer than kLongestKey bytes, or a zero byte inside.
void check_key(std::string_view key);

}  // namespace attache::threads
