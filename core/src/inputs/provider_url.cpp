// SPDX-License-Identifier: Apache-2.0
#include "inputs/provider_url.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace attache::inputs {
namespace {

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

bool holds(const std::vector<std::string>& list, const std::string& word) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& one) { return lowered(one) == word; });
}

Fault refusal(const char* reason, std::string sentence) {
  return {errc::input_mode_unsupported, reason, std::move(sentence), std::nullopt, {}};
}

}  // namespace

UrlParts url_parts(std::string_view url) {
  const auto mark = url.find("://");
  const std::string_view rest = url.substr(mark + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const bool address = authority.starts_with('[');
  const auto end = address ? authority.find(']') + 1 : authority.find(':');
  return {lowered(url.substr(0, mark)), lowered(authority.substr(0, end))};
}

std::vector<Fault> url_refusals(std::string_view url, const Terms& terms) {
  const UrlParts parts = url_parts(url);
  std::vector<Fault> faults;
  if (!terms.allow_provider_urls) {
    faults.push_back(refusal("urls_not_allowed", "the agent does not let the provider fetch URLs"));
  }
  if (!holds(terms.descriptor->features.url_schemes, parts.scheme)) {
    faults.push_back(refusal("scheme_unsupported",
                             fmt::format("the driver \"{}\" takes no URL of this scheme", terms.descriptor->id)));
  }
  if (!terms.provider_url_hosts.empty() && !holds(terms.provider_url_hosts, parts.host)) {
    faults.push_back(refusal("host_not_allowed", "the agent does not let the provider fetch from this host"));
  }
  return faults;
}

}  // namespace attache::inputs
