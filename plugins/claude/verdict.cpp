// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include <attache/sdk/http_failure.hpp>

namespace attache::claude {
namespace {

using sdk::Failure;
using sdk::Status;

/// What a failed turn was seen with; empty matches anything.
struct Rule {
  std::string_view api_error;
  std::string_view said;  ///< how the result's text begins
  Status status;
  const char* reason;
  const char* text;
};
constexpr Status refused = Status::provider_refused;
constexpr Status broken = Status::provider_failed;
constexpr std::array kRules{
    Rule{"pdf_too_large", "", refused, "pdf_too_large", "the provider refused a PDF as too large"},
    Rule{"", "PDF too large", refused, "pdf_too_large", "the provider refused a PDF as too large"},
    Rule{"pdf_password_protected", "", refused, "pdf_password_protected", "the provider refused a locked PDF"},
    Rule{"", "Not logged in", refused, "not_logged_in", "the claude CLI is not logged in and has no API key"},
    Rule{"", "Invalid API key", refused, "authentication_failed", "the provider refused the API key"},
    Rule{"", "Request too large", refused, "request_too_large", "the provider refused the request as too large"},
};

bool matches(const Rule& rule, std::string_view api_error, std::string_view said) {
  return (rule.api_error.empty() || rule.api_error == api_error) &&
         (rule.said.empty() || said.substr(0, rule.said.size()) == rule.said);
}

}  // namespace

void Verdict::api_error(const Json& frame) {
  api_error_seen_ = true;
  if (const std::string slug = text(frame, "api_error"); !slug.empty()) api_error_ = slug;
  if (const auto status = number(frame, "api_error_status"); status != 0) {
    http_status_ = static_cast<std::uint32_t>(status);
  }
  if (std::string id = text(frame, "request_id"); !id.empty()) request_id_ = std::move(id);
}

void Verdict::result(const Json& frame) {
  subtype_ = text(frame, "subtype");
  // Success only where the CLI says so: facts differ in what they leave out, none leaves out this.
  is_error_ = member(frame, "is_error") != Json(false) || subtype_.rfind("error", 0) == 0;
  terminal_reason_ = text(frame, "terminal_reason");
  stop_reason_ = text(frame, "stop_reason");
  said_ = text(frame, "result");
  if (const auto status = number(frame, "api_error_status"); status != 0) {
    http_status_ = static_cast<std::uint32_t>(status);
  }
}

void Verdict::settle() const {
  if (is_error_ || api_error_seen_) throw classify().provider_code(http_status_).request_id(request_id_);
}

Failure Verdict::classify() const {
  for (const Rule& rule : kRules) {
    if (matches(rule, api_error_, said_)) return {rule.status, rule.reason, rule.text};
  }
  if (const auto failure = sdk::http_failure(http_status_)) return *failure;
  if (terminal_reason_ == "image_error") return {refused, "media_refused", "the provider refused an input"};
  if (stop_reason_ == "refusal") return {refused, "refusal", "the model refused to answer"};
  if (subtype_ == "error_max_turns") return {broken, "max_turns", "the turn needed more steps than allowed"};
  if (subtype_ == "error_max_budget_usd") return {broken, "budget_exhausted", "the budget of the turn is used up"};
  return {broken, "provider_error", "the claude CLI reported an error"};
}

}  // namespace attache::claude
