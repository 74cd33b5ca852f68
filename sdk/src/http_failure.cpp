// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <attache/sdk/http_failure.hpp>

namespace attache::sdk {
namespace {

struct Row {
  std::uint32_t http_status;
  Status status;
  const char* reason;
  const char* text;
};
constexpr Status refused = Status::provider_refused;
constexpr Status broken = Status::provider_failed;
constexpr std::array kRows{
    Row{400, refused, "invalid_request", "the provider refused the request as invalid"},
    Row{401, refused, "authentication_failed", "the provider refused the credentials"},
    Row{403, refused, "permission_denied", "the provider denied permission"},
    Row{404, refused, "not_found", "the provider does not know the model or the address"},
    Row{413, refused, "request_too_large", "the provider refused the request as too large"},
    Row{429, broken, "rate_limited", "the provider limits the rate of requests"},
    Row{529, broken, "overloaded", "the provider is overloaded"},
};

}  // namespace

std::optional<Failure> http_failure(std::uint32_t status) {
  for (const Row& row : kRows) {
    if (row.http_status == status) return Failure(row.status, row.reason, row.text).provider_code(status);
  }
  if (status >= 500 && status < 600) {
    return Failure(broken, "server_error", "the provider failed").provider_code(status);
  }
  return std::nullopt;
}

}  // namespace attache::sdk
