// SPDX-License-Identifier: Apache-2.0
#include "thread/thread_key.hpp"

#include <attache/error.hpp>

namespace attache::threads {

void check_key(std::string_view key) {
  if (!key.empty() && key.size() <= kLongestKey && key.find('\0') == std::string_view::npos) return;
  throw Error(errc::thread_store, "key_invalid", "a thread's key has 1 to 4096 bytes and no zero byte");
}

}  // namespace attache::threads
