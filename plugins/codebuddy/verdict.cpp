// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <attache/sdk/http_failure.hpp>

namespace attache::codebuddy {
namespace {

using sdk::Failure;
using sdk::Status;

constexpr Status refused = Status::provider_refused;
constexpr Status broken = Status::provider_failed;

/// What a text of the CLI holds; it is read for this and never shown.
struct Rule {
  std::string_view said;
  Status status;
  const char* reason;
  const char* text;
};
constexpr std::array kRules{
    Rule{"No conversation found", Status::resume_rejected, "unknown_session",
         "codebuddy does not have the session of the checkpoint"},
    Rule{"Authentication required", refused, "not_logged_in", "codebuddy is not logged in and has no API key"},
    Rule{"maxBodyLength", refused, "request_too_large", "codebuddy refused the turn as too large"},
    Rule{"No response received from model", broken, "no_answer", "the provider gave no answer"},
    Rule{"Chat Completions only supports", refused, "invalid_request", "codebuddy refused an input"},
};

/// "500 TEXT (request/session)".
std::uint32_t http_status(std::string_view said) {
  constexpr std::size_t digits = 3;
  std::uint32_t out = 0;
  const std::string_view head = said.substr(0, digits);
  const auto [stop, error] = std::from_chars(head.data(), head.data() + head.size(), out);
  const bool whole = error == std::errc{} && stop == head.data() + digits;
  return whole && (said.size() == digits || said[digits] == ' ') ? out : 0;
}

Failure classify(const std::string& said) {
  for (const Rule& rule : kRules) {
    if (said.find(rule.said) != std::string::npos) return {rule.status, rule.reason, rule.text};
  }
  if (auto failure = sdk::http_failure(http_status(said))) return *failure;
  return {broken, "provider_error", "the codebuddy CLI reported an error"};
}

}  // namespace

std::optional<Failure> result_failure(const Json& result) {
  const std::string subtype = text(result, "subtype");
  // Success only where the CLI says so in both members.
  if (member(result, "is_error") == Json(false) && subtype == "success") return std::nullopt;
  if (subtype == "error_max_turns") return Failure(broken, "max_turns", "the turn needed more steps than allowed");
  const Json& errors = member(result, "errors");
  std::string said;
  if (errors.is_array() && !errors.empty() && errors[0].is_string()) said = errors[0].get<std::string>();
  return classify(said);
}

Failure error_failure(const Json& error) {
  return classify(text(error, "error"));
}

}  // namespace attache::codebuddy
