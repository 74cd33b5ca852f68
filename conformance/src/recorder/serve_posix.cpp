// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <ctime>

#include <fmt/format.h>

#include <attache/sdk/sha256.hpp>

#include "recorder/recorder.hpp"
#include "recorder/serve.hpp"

namespace attache::conformance {
namespace {

std::string describe(const Capture& capture) {
  std::string text = fmt::format("{} · {} bytes", capture.target, capture.stdin_bytes);
  for (const CapturedTurn& turn : capture.turns) {
    for (const CapturedItem& item : turn.items) {
      if (item.type == CapturedItem::Type::text) {
        text += fmt::format(" · text {}", item.size);
      } else if (item.rule == nullptr) {
        text += " · unknown block";
      } else if (!item.well_encoded) {
        text += fmt::format(" · {} not well encoded", item.rule->name);
      } else {
        text += fmt::format(" · {} {} {} {}", item.rule->name, item.media_type, item.size, sdk::to_hex(item.sha256));
      }
    }
  }
  return text;
}

}  // namespace

void serve(const std::filesystem::path& directory, const Dialect& dialect, const std::string& scenario,
           std::uint16_t port, const std::function<void(const std::string&)>& on_line) {
  sigset_t ends;
  sigset_t before;
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGINT);
  ::sigaddset(&ends, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &ends, &before);
  Recorder recorder(directory, dialect, scenario, port);
  on_line(recorder.base_url());
  std::size_t told = 0;
  const timespec pause{0, 200'000'000};
  while (::sigtimedwait(&ends, nullptr, &pause) < 0) {
    const std::vector<Capture> captures = recorder.captures();
    for (; told < captures.size() && captures[told].finished; ++told) {
      on_line(describe(captures[told]));
    }
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace attache::conformance
