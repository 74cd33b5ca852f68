// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <chrono>

#include <nlohmann/json.hpp>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_rpc.hpp>
#include <attache/sdk/scratch.hpp>

#include "command_line.hpp"
#include "handshake.hpp"
#include "json_access.hpp"
#include "verdict.hpp"

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::Status;

constexpr std::chrono::seconds kPatience{15};
constexpr int kMostPages = 50;

Json with_mode(const char* mode) {
  return {{"modes", Json::array({{{"mode", mode}}})}};
}

Json without_modes() {
  return {{"modes", Json::array()}};
}

Found ask(sdk::RpcPeer& codex) {
  const auto good = [](const sdk::RpcMessage& reply) {
    if (reply.error) throw call_failure(reply);
    return reply.body;
  };
  Found out;
  out.version = version_of(parse(good(codex.call("initialize", initialize_params(true)))));
  codex.notify("initialized");
  out.account = good(codex.call("account/read"));
  if (const sdk::RpcMessage quota = codex.call("account/rateLimits/read"); !quota.error) out.quota = quota.body;
  std::string cursor;
  for (int page = 0; page == 0 || (!cursor.empty() && page < kMostPages); ++page) {
    cursor = read_models(parse(good(codex.call("model/list", model_list_params(cursor)))), out.models);
  }
  return out;
}

Json account_of(const Found& found) {
  const Json reply = parse(found.account);
  const Json& account = member(reply, "account");
  if (found.by_key) return {{"type", "api_key"}};
  if (!account.is_object()) return {{"type", "none"}};
  Json out{{"type", text(account, "type")}};
  if (const std::string plan = text(account, "planType"); !plan.empty()) out["plan"] = plan;
  return out;
}

}  // namespace

std::string inspection_of(const Found& found, const std::string& wanted) {
  Json out{{"version", sdk::to_string(found.version)}, {"account", account_of(found)}};
  Json models = Json::array();
  for (const Model& one : found.models) {
    Json modalities = Json::array();
    if (one.text) modalities.push_back("text");
    if (one.image) modalities.push_back("image");
    if (one.audio) modalities.push_back("audio");
    models.push_back({{"id", one.id}, {"default", one.is_default}, {"inputs", std::move(modalities)}});
  }
  out["models"] = std::move(models);
  const Json quota = parse(found.quota);
  if (const Json& limits = member(quota, "rateLimits"); limits.is_object()) {
    out["quota"] = {{"primary", member(limits, "primary")}, {"secondary", member(limits, "secondary")}};
  }
  const bool known_wire = found.version >= kOldestTested;
  const Model* const model = find(found.models, wanted);
  Json image = known_wire && (model == nullptr || model->image) ? with_mode("native") : without_modes();
  if (known_wire && model == nullptr) {
    // What the CLI does not know it treats as a model of an older kind.
    image["modes"][0]["exact"] = {{"max_side_px", 2048}, {"patch_px", 32}, {"max_patches", 2500}};
  }
  out["inputs"] = {{"image", std::move(image)},
                   {"file", with_mode("workspace_reference")},
                   {"audio", known_wire && model != nullptr && model->audio ? with_mode("native") : without_modes()},
                   {"video", without_modes()}};
  return out.dump();
}

std::string inspect(const Config& config) {
  const sdk::Scratch scratch("codex");
  try {
    sdk::ChildProcess process = sdk::ChildProcess::spawn(command_line(config, scratch.path(), scratch.path()));
    sdk::RpcOptions options;
    options.version_member = false;
    sdk::RpcPeer codex(process, {}, options);
    sdk::ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + kPatience;
    codex.set_limits(limits);
    Found found = ask(codex);
    found.by_key = !config.api_key.empty();
    process.end(std::chrono::milliseconds(2000));
    return inspection_of(found, config.model);
  } catch (const sdk::SpawnError& error) {
    throw Failure(Status::launch_failed, error.reason(), "the codex CLI could not be started");
  } catch (const sdk::RpcInterrupted& end) {
    if (end.why() == sdk::PumpEnd::deadline) {
      throw Failure(Status::timeout, "deadline", "the codex CLI did not answer in time");
    }
    throw Failure(Status::provider_failed, "ended_early", "the codex CLI ended before it had answered");
  }
}

}  // namespace attache::codex
