// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "wire/capture.hpp"

namespace attache::conformance {

/// Finds what looks like a path in argv and texts, opens it as the provider would and hashes what it sees.
/// Absolute paths, file:// URLs, and relative paths with a slash or after an "@". Paths end at white space and quotes.
class FileReferences {
 public:
  explicit FileReferences(std::function<void(const ReferencedFile&)> report) : report_(std::move(report)) {}
  void scan(std::string_view text, const std::string& found_in);

 private:
  void token(std::string_view token, const std::string& found_in);
  std::function<void(const ReferencedFile&)> report_;
  std::set<std::string> seen_;
};

}  // namespace attache::conformance
