// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::Status;

constexpr Status refused = Status::provider_refused;
constexpr Status broken = Status::provider_failed;

/// What a failed turn was seen with; empty and 0 match anything.
struct Rule {
  std::string_view kind;  ///< of codexErrorInfo
  std::uint32_t http_status;
  std::string_view said;  ///< how the message begins
  Status status;
  const char* reason;
  const char* text;
};
constexpr std::array kRules{
    Rule{"", 0, "Missing environment variable", refused, "api_key_missing", "codex found no API key"},
    Rule{"", 0, "unsupported operation: The selected model does not support", refused, "model_without_modality",
         "the model does not take an input of this kind"},
    Rule{"contextWindowExceeded", 0, "", refused, "context_window_exceeded", "the turn does not fit the model"},
    Rule{"modelNotFound", 0, "", refused, "not_found", "the provider does not know the model"},
    Rule{"unauthorized", 0, "", refused, "authentication_failed", "the provider refused the credentials"},
    Rule{"badRequest", 0, "", refused, "invalid_request", "the provider refused the request as invalid"},
    Rule{"cyberPolicy", 0, "", refused, "policy", "the provider's policy forbids the request"},
    Rule{"bioPolicy", 0, "", refused, "policy", "the provider's policy forbids the request"},
    Rule{"misalignmentPolicyViolation", 0, "", refused, "policy", "the provider's policy forbids the request"},
    Rule{"usageLimitExceeded", 0, "", broken, "usage_limit", "the account's quota is used up"},
    Rule{"sessionBudgetExceeded", 0, "", broken, "budget_exhausted", "the budget of the session is used up"},
    Rule{"rateLimitExceeded", 0, "", broken, "rate_limited", "the provider limits the rate of requests"},
    Rule{"serverOverloaded", 0, "", broken, "overloaded", "the provider is overloaded"},
    Rule{"internalServerError", 0, "", broken, "server_error", "the provider failed"},
    Rule{"sandboxError", 0, "", broken, "sandbox_failed", "the sandbox of codex failed"},
    Rule{"", 400, "", refused, "invalid_request", "the provider refused the request as invalid"},
    Rule{"", 401, "", refused, "authentication_failed", "the provider refused the credentials"},
    Rule{"", 403, "", refused, "permission_denied", "the provider denied permission"},
    Rule{"", 404, "", refused, "not_found", "the provider does not know the model or the address"},
    Rule{"", 413, "", refused, "request_too_large", "the provider refused the request as too large"},
    Rule{"", 415, "", refused, "media_refused", "the provider refused an input"},
    Rule{"", 422, "", refused, "invalid_request", "the provider refused the request as invalid"},
    Rule{"", 429, "", broken, "rate_limited", "the provider limits the rate of requests"},
    Rule{"", 0, "stream disconnected", broken, "stream_cut", "the provider's answer broke off"},
    Rule{"responseStreamDisconnected", 0, "", broken, "stream_cut", "the provider's answer broke off"},
    Rule{"", 0, "Connection failed", broken, "unreachable", "the provider could not be reached"},
    // A 400 comes as the provider's own body and without its status.
    Rule{"other", 0, "{", refused, "invalid_request", "the provider refused the request as invalid"},
};

bool matches(const Rule& rule, std::string_view kind, std::uint32_t status, std::string_view said) {
  return (rule.kind.empty() || rule.kind == kind) && (rule.http_status == 0 || rule.http_status == status) &&
         said.substr(0, rule.said.size()) == rule.said;
}

}  // namespace

Failure turn_failure(const Json& error) {
  const Json& info = member(error, "codexErrorInfo");
  std::string kind = info.is_string() ? info.get<std::string>() : std::string();
  std::uint32_t status = 0;
  if (info.is_object() && !info.empty()) {
    kind = info.items().begin().key();
    status = static_cast<std::uint32_t>(number(info.items().begin().value(), "httpStatusCode"));
  }
  const std::string said = text(error, "message");
  for (const Rule& rule : kRules) {
    if (matches(rule, kind, status, said)) return Failure(rule.status, rule.reason, rule.text).provider_code(status);
  }
  if (status >= 500) return Failure(broken, "server_error", "the provider failed").provider_code(status);
  if (status >= 400)
    return Failure(refused, "invalid_request", "the provider refused the request").provider_code(status);
  return {broken, "provider_error", "codex reported an error"};
}

Failure call_failure(const sdk::RpcMessage& reply) {
  const Json error = parse(reply.body);
  if (text(member(error, "data"), "input_error_code") == "input_too_large") {
    return {Status::too_large, "prompt_too_long", "the text is longer than codex takes"};
  }
  if (text(error, "message").rfind("codex account authentication required", 0) == 0) {
    return {refused, "not_logged_in", "codex is not logged in and has no API key"};
  }
  return {refused, "call_refused", "codex refused a call of its protocol"};
}

bool is_unknown_thread(const sdk::RpcMessage& reply) {
  const std::string said = text(parse(reply.body), "message");
  return said.find("no rollout found") != std::string::npos || said.find("thread not found") != std::string::npos ||
         said.find("invalid session id") != std::string::npos;
}

}  // namespace attache::codex
