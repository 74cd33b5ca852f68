// SPDX-License-Identifier: Apache-2.0
// Templates of a dialect, filled in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wire/dialect_impl.hpp"

namespace attache::conformance {

/// The variables of one process or request. A variable without a pointer keeps its first value.
class Variables {
 public:
  Variables(const Dialect::Impl& dialect, std::vector<std::string> argv, std::string working_directory);
  /// A copy of `pattern` with every "${name}" in its strings replaced, but for "${content}". `frame` may be null.
  Json fill(const Json& pattern, const Json* frame);
  std::string fill_text(const std::string& text, const Json* frame);
  /// Whether a step's "if" holds; a step without one always runs.
  bool holds(const Json& step, const Json* frame) const;

 private:
  std::string value(const std::string& name, const Json* frame);
  const Json* value_in_frame(const std::string& text, const Json* frame) const;
  const Dialect::Impl& dialect_;
  std::vector<std::string> argv_;
  std::string working_directory_;
  std::map<std::string, std::string> known_;
};

/// A random UUID, version 4.
std::string fresh_uuid();

}  // namespace attache::conformance
