// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <system_error>

#include <attache/sdk/version.hpp>

namespace attache::sdk {

std::optional<Version> read_version(std::string_view text) {
  Version out{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool last = i + 1 == out.size();
    const auto [stop, error] = std::from_chars(at, end, out[i]);
    if (error != std::errc{} || (!last && (stop == end || *stop != '.'))) return std::nullopt;
    at = last ? stop : stop + 1;
  }
  return out;
}

std::string to_string(const Version& version) {
  return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." + std::to_string(version[2]);
}

}  // namespace attache::sdk
