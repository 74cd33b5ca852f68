// SPDX-License-Identifier: Apache-2.0
#include "handshake.hpp"

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
  const std::size_t slash = agent.find('/');
  if (slash == std::string::npos) return {};
  return sdk::read_version(std::string_view(agent).substr(slash + 1)).value_or(Version{});
}

}  // namespace attache::codex
