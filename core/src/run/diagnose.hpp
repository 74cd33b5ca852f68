// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <attache/agent.hpp>

namespace attache::run {

using Diagnostics = std::function<void(const Diagnostic&)>;

/// Hands a detail to the host's hook, if there is one. The hook must not throw; what it does takes no part in a run.
inline void diagnose(const Diagnostics& hook, const char* where, std::string text) noexcept {
  if (!hook) {
    return;
  }
  try {
    hook({where, std::nullopt, std::move(text)});
  } catch (...) {
    return;
  }
}

}  // namespace attache::run
