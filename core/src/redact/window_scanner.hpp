// SPDX-License-Identifier: Apache-2.0
// The backstop: takes pieces of inputs out of a channel.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "redact/input_windows.hpp"

namespace attache::redact {

/// Replaces every hit, with the run of characters around it, by one marker. Linear time. Holds back the unfinished
/// last line, at most 64 KiB of it, so that a run can be removed from its beginning.
class WindowScanner {
 public:
  /// How far a run of text goes: to the ends of its line or quotes, or over everything.
  enum class Reach { line, everything };

  explicit WindowScanner(const InputWindows& windows, Reach reach = Reach::line) noexcept
      : windows_(&windows), reach_(reach) {}
  std::string push(std::string_view piece);
  std::string flush();

 private:
  void replace_hits(std::string& out);
  bool extends(Form form, char c) const noexcept;
  const InputWindows* windows_;
  Reach reach_;
  std::string buffer_;            ///< begins with bytes that are handed out already, as context
  std::size_t handed_ = 0;        ///< how many of them
  std::size_t examined_ = 0;      ///< places before this one begin no window
  std::optional<Form> open_run_;  ///< a removed run that the next bytes may go on with
};

}  // namespace attache::redact
