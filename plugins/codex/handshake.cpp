// SPDX-License-Identifier: Apache-2.0
#include "handshake.hpp"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attache::codex {
namespace {

/// Nothing of these is read.
constexpr const char* kUnread[] = {"account/rateLimits/updated",
                                   "hook/completed",
                                   "hook/started",
                                   "item/commandExecution/outputDelta",
                                   "item/fileChange/outputDelta",
                                   "item/fileChange/patchUpdated",
                                   "item/started",
                                   "mcpServer/startupStatus/updated",
                                   "remoteControl/status/changed",
                                   "skills/changed",
                                   "thread/readState/changed",
                                   "thread/started",
                                   "thread/status/changed",
                                   "turn/diff/updated"};

}  // namespace

std::string initialize_params(bool quiet_items) {
  Json unread(kUnread);
  if (quiet_items) unread.push_back("item/completed");
  return Json{{"clientInfo", {{"name", "attache"}, {"title", "Attache"}, {"version", "0.1.0"}}},
              {"capabilities", {{"experimentalApi", true}, {"optOutNotificationMethods", std::move(unread)}}}}
      .dump();
}

std::string model_list_params(const std::string& cursor) {
  Json out{{"includeHidden", true}};
  if (!cursor.empty()) out["cursor"] = cursor;
  return out.dump();
}

Version version_of(const Json& initialized) {
  const std::string agent = text(initialized, "userAgent");
  Version out{};
  const std::size_t slash = agent.find('/');
  if (slash == std::string::npos) return out;
  const char* at = agent.data() + slash + 1;
  const char* const end = agent.data() + agent.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto [stop, error] = std::from_chars(at, end, out[i]);
    if (error != std::errc{} || (i + 1 < out.size() && (stop == end || *stop != '.'))) return {};
    at = i + 1 < out.size() ? stop + 1 : stop;
  }
  return out;
}

std::string to_string(const Version& version) {
  return fmt::format("{}.{}.{}", version[0], version[1], version[2]);
}

}  // namespace attache::codex
