// SPDX-License-Identifier: Apache-2.0
//
#pragma once

#include <string>

#include "tap/echo.hpp"
#include "tap/file_references.hpp"
#include "tap/stdin_reader.hpp"
#include "wire/records.hpp"
#include "wire/variables.hpp"

namespace attache::conformance {

/// Runs the steps of an answer. Steps that end the process do so from here.
class Script {
 public:
  struct Parts {
    const Dialect::Impl& dialect;
    Variables& variables;
    RecordWriter& record;
    StdinReader& input;
    std::function<void()> open_files;  ///< opens what was referred to so far
  };
  explicit Script(Parts parts) : parts_(std::move(parts)) {}

  /// `turn` is null for the steps before the first turn and after the last.
  void run(const Json& steps, const EchoSource* turn);
  /// Records the end and ends the process.
  [[noreturn]] void exit(int code);

 private:
  void step(const std::string& kind, const Json& value, const EchoSource* turn);
  void put(std::string_view bytes);
  void flood(const Json& value);
  void echo(const Json& value, const EchoSource* turn);

  Parts parts_;
};

}  // namespace attache::conformance
