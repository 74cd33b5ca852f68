// SPDX-License-Identifier: Apache-2.0
#include "acp_verdict.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include "acp_calls.hpp"

namespace attache::sdk::acp {
namespace {

using Json = nlohmann::ordered_json;

constexpr Status refused = Status::provider_refused;
constexpr Status broken = Status::provider_failed;

struct HttpRule {
  std::uint64_t http_status;
  Status status;
  const char* reason;
  const char* text;
};
constexpr std::array kHttp{HttpRule{400, refused, "invalid_request", "the provider refused the request as invalid"},
                           HttpRule{401, refused, "authentication_failed", "the provider refused the credentials"},
                           HttpRule{403, refused, "permission_denied", "the provider denied permission"},
                           HttpRule{404, refused, "not_found", "the provider does not know the model or the address"},
                           HttpRule{413, refused, "request_too_large", "the provider refused the request as too large"},
                           HttpRule{429, broken, "rate_limited", "the provider limits the rate of requests"}};

Failure http_failure(std::uint64_t status) {
  const auto found =
      std::find_if(kHttp.begin(), kHttp.end(), [&](const HttpRule& one) { return one.http_status == status; });
  const auto code = static_cast<std::uint32_t>(status);
  if (found != kHttp.end()) return Failure(found->status, found->reason, found->text).provider_code(code);
  if (status >= 500) return Failure(broken, "server_error", "the provider failed").provider_code(code);
  return Failure(refused, "invalid_request", "the provider refused the request").provider_code(code);
}

bool is_http_error(std::uint64_t status) {
  return status >= 400 && status < 600;
}

/// Where agents say which status the provider answered with.
std::uint64_t status_in(const Json& document) {
  for (const char* key : {"statusCode", "httpStatusCode", "status"}) {
    if (const std::uint64_t status = number(document, key); is_http_error(status)) return status;
  }
  return 0;
}

Failure error_failure(const RpcMessage& reply) {
  const Json error = parse_json<Json>(reply.body).value_or(Json());
  if (const std::uint64_t status = status_in(member(error, "data")); status != 0) return http_failure(status);
  if (Failure failure = call_failure(reply); failure.reason() == "not_logged_in") return failure;
  const Json& code = member(error, "code");
  const std::int64_t number = code.is_number_integer() ? code.get<std::int64_t>() : 0;
  constexpr std::int64_t parse_error = -32700, invalid_params = -32602, invalid_request = -32600, no_method = -32601;
  if (number == parse_error || number == invalid_params || number == invalid_request || number == no_method) {
    return {refused, "invalid_request", "the agent refused the turn as invalid"};
  }
  if (is_http_error(static_cast<std::uint64_t>(number))) return http_failure(static_cast<std::uint64_t>(number));
  return {broken, "provider_error", "the agent reported an error"};
}

/// CodeBuddy tells every error of its provider as a refusal, and the error beside it, as a text.
Failure refusal(const Json& result) {
  const std::string told = text(member(result, "_meta"), "codebuddy.ai/errorMessage");
  if (told.empty()) return {refused, "refusal", "the agent refused to answer"};
  const std::uint64_t status = status_in(parse_json<Json>(told).value_or(Json()));
  return status != 0 ? http_failure(status) : Failure(broken, "provider_error", "the agent reported an error");
}

}  // namespace

std::optional<Failure> turn_failure(const RpcMessage& reply, bool permission_refused) {
  if (reply.error) return error_failure(reply);
  const Json result = parse_json<Json>(reply.body).value_or(Json());
  const std::string reason = text(result, "stopReason");
  if (reason == "end_turn") return std::nullopt;
  if (reason == "refusal") return refusal(result);
  if (reason == "max_tokens") return Failure(broken, "max_tokens", "the answer is cut off at the model's limit");
  if (reason == "max_turn_requests") {
    return Failure(broken, "max_turn_requests", "the agent made as many requests as it may, and did not end");
  }
  if (reason != "cancelled") return Failure(broken, "stop_reason_unknown", "the agent stopped for an unknown reason");
  if (permission_refused) {
    return Failure(refused, "permission_refused", "the agent stopped because a permission was not given");
  }
  return Failure(broken, "interrupted", "something else interrupted the turn");
}

}  // namespace attache::sdk::acp
