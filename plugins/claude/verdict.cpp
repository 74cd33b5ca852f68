// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

namespace attache::claude {
namespace {

using sdk::Failure;
using sdk::Status;

/// What a failed turn was seen with; empty and 0 match anything.
struct Rule {
  std::string_view api_error;
  std::uint32_t http_status;
  std::string_view said;  ///< how the result's text begins
  Status status;
  const char* reason;
  const char* text;
};
constexpr Status refused = Status::provider_refused;
constexpr Status broken = Status::provider_failed;
constexpr std::array kRules{
    Rule{"pdf_too_large", 0, "", refused, "pdf_too_large", "the provider refused a PDF as too large"},
    Rule{"", 0, "PDF too large", refused, "pdf_too_large", "the provider refused a PDF as too large"},
    Rule{"pdf_password_protected", 0, "", refused, "pdf_password_protected", "the provider refused a locked PDF"},
    Rule{"", 0, "Not logged in", refused, "not_logged_in", "the claude CLI is not logged in and has no API key"},
    Rule{"", 0, "Invalid API key", refused, "authentication_failed", "the provider refused the API key"},
    Rule{"", 0, "Request too large", refused, "request_too_large", "the provider refused the request as too large"},
    Rule{"", 400, "", refused, "invalid_request", "the provider refused the request as invalid"},
    Rule{"", 401, "", refused, "authentication_failed", "the provider refused the credentials"},
    Rule{"", 403, "", refused, "permission_denied", "the provider denied permission"},
    Rule{"", 404, "", refused, "not_found", "the provider does not know the model or the address"},
    Rule{"", 413, "", refused, "request_too_large", "the provider refused the request as too large"},
    Rule{"", 429, "", broken, "rate_limited", "the provider limits the rate of requests"},
    Rule{"", 529, "", broken, "overloaded", "the provider is overloaded"},
};

bool matches(const Rule& rule, std::string_view api_error, std::uint32_t status, std::string_view said) {
  return (rule.api_error.empty() || rule.api_error == api_error) &&
         (rule.http_status == 0 || rule.http_status == status) &&
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
  is_error_ = flag(frame, "is_error") || subtype_.rfind("error", 0) == 0;
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
    if (matches(rule, api_error_, http_status_, said_)) return {rule.status, rule.reason, rule.text};
  }
  if (http_status_ >= 500) return {broken, "server_error", "the provider failed"};
  if (terminal_reason_ == "image_error") return {refused, "media_refused", "the provider refused an input"};
  if (stop_reason_ == "refusal") return {refused, "refusal", "the model refused to answer"};
  if (subtype_ == "error_max_turns") return {broken, "max_turns", "the turn needed more steps than allowed"};
  if (subtype_ == "error_max_budget_usd") return {broken, "budget_exhausted", "the budget of the turn is used up"};
  return {broken, "provider_error", "the claude CLI reported an error"};
}

}  // namespace attache::claude
