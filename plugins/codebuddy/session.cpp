// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

#include "json_access.hpp"

namespace attache::codebuddy {
namespace {

using sdk::Failure;
using sdk::Status;

constexpr std::size_t kUuidLength = 36;

std::string id_of(std::string_view checkpoint) {
  if (checkpoint.empty()) return {};
  const auto document = sdk::parse_json<Json>(std::string(checkpoint));
  std::string id = document ? text(*document, "session") : std::string();
  if (id.size() != kUuidLength || id.find_first_not_of("0123456789abcdef-") != std::string::npos || id[0] == '-') {
    throw Failure(Status::resume_rejected, "checkpoint_invalid", "the checkpoint names no session of codebuddy");
  }
  return id;
}

}  // namespace

std::string Session::checkpoint(const std::string& now) const {
  return Json{{"session", now}}.dump();
}

Session session_of(const sdk::Request& request, const Config& config) {
  Session out;
  out.id = id_of(request.checkpoint());
  out.fork = request.fork();
  out.kept = !request.thread().empty() || !out.id.empty();
  if (out.fork && out.id.empty()) {
    throw Failure(Status::invalid, "fork_of_nothing", "there is no checkpoint to fork");
  }
  if (out.kept && config.hermetic && config.home.empty() && config.config_dir.empty()) {
    throw Failure(Status::invalid, "home_required", "threads of a hermetic codebuddy need a home or a config_dir");
  }
  return out;
}

void require_session(const Session& asked, const std::string& now) {
  if (asked.id.empty() || (asked.fork ? !now.empty() && now != asked.id : now == asked.id)) return;
  throw Failure(Status::resume_rejected, "other_session",
                "codebuddy went on with another session than it was asked to");
}

}  // namespace attache::codebuddy
