// SPDX-License-Identifier: Apache-2.0
#include "thread_call.hpp"

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>

#include "json_access.hpp"
#include "verdict.hpp"

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::Status;

constexpr std::size_t kUuidLength = 36;

/// Anything but an id of a thread would be taken for a name, and a name that is not known for a new thread.
std::string thread_of(std::string_view checkpoint) {
  if (checkpoint.empty()) return {};
  std::string id = text(parse(std::string(checkpoint)), "thread");
  if (id.size() != kUuidLength || id.find_first_not_of("0123456789abcdef-") != std::string::npos) {
    throw Failure(Status::resume_rejected, "checkpoint_invalid", "the checkpoint names no thread of codex");
  }
  return id;
}

}  // namespace

std::string checkpoint_of(const OpenedThread& thread, const std::string& turn) {
  return Json{{"thread", thread.id}, {"turn", turn}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ThreadCall::ThreadCall(const Config& config, const sdk::Request& request)
    : config_(config),
      thread_(thread_of(request.checkpoint())),
      output_schema_(request.output_schema()),
      fork_(request.fork()),
      ephemeral_(request.thread().empty() && thread_.empty()) {
  if (!ephemeral_ && config.hermetic && config.codex_home.empty()) {
    throw Failure(Status::invalid, "codex_home_required", "threads of a hermetic codex need a codex_home");
  }
  if (!output_schema_.empty() && !parse(output_schema_).is_object()) {
    throw Failure(Status::invalid, "output_schema_invalid", "the output schema is no JSON object");
  }
}

const char* ThreadCall::method() const noexcept {
  if (fresh()) return "thread/start";
  return fork_ ? "thread/fork" : "thread/resume";
}

std::string ThreadCall::params(const std::string& directory) const {
  Json out = Json::object();
  if (fresh()) {
    out["ephemeral"] = ephemeral_;
    out["experimentalRawEvents"] = true;
  } else {
    out["threadId"] = thread_;
    out["excludeTurns"] = true;
  }
  out["cwd"] = directory;
  out["approvalPolicy"] = "never";
  out["sandbox"] = config_.sandbox;
  if (!config_.model.empty()) out["model"] = config_.model;
  if (!config_.system_prompt.empty()) out["developerInstructions"] = config_.system_prompt;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

OpenedThread ThreadCall::opened(const sdk::RpcMessage& reply) const {
  if (reply.error && !fresh() && is_unknown_thread(reply)) {
    throw Failure(Status::resume_rejected, "unknown_session", "codex does not have the thread of the checkpoint");
  }
  if (reply.error) throw call_failure(reply);
  const Json result = parse(reply.body);
  const Json& thread = member(result, "thread");
  OpenedThread out{text(thread, "id"), text(result, "model"), text(thread, "path")};
  if (out.id.empty()) {
    throw Failure(Status::provider_failed, "no_thread", "codex opened no thread");
  }
  const bool same = fork_ ? out.id != thread_ : out.id == thread_;
  if (!fresh() && !same) {
    throw Failure(Status::resume_rejected, "other_session", "codex went on with another thread than it was asked to");
  }
  return out;
}

std::string ThreadCall::turn_params(const std::string& thread, const std::string& items) const {
  std::string out = Json{{"threadId", thread}}.dump();
  out.pop_back();
  // Minified: a line end inside would end the message.
  if (!output_schema_.empty()) out += ",\"outputSchema\":" + parse(output_schema_).dump();
  return out + ",\"input\":" + items + "}";
}

}  // namespace attache::codex
