// SPDX-License-Identifier: Apache-2.0
// Everything the command writes goes through here.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace attache::cli {

/// Answers on standard output, all else on standard error. Text on a terminal is neutralised; on standard error
/// it is so always, because logs are read on terminals too. Any thread.
class Printer {
 public:
  Printer();

  /// A piece of an answer, unchanged when standard output is no terminal.
  void answer(std::string_view text);
  /// Ends the answer with a line break unless it has one.
  void end_answer();
  /// One line of JSON, in ASCII.
  void json(const nlohmann::ordered_json& value);
  /// A finished line of a table or help on standard output: neutralised always.
  void line(std::string_view text);
  /// A line on standard error.
  void note(std::string_view text);

  /// True when a status line makes sense: standard error is a terminal.
  bool shows_status() const noexcept { return err_is_terminal_; }
  /// Draws the status line over the last one; empty erases it.
  void status(std::string_view text);

  /// Nobody reads standard output any more.
  bool reader_gone() const;

 private:
  void out(std::string_view bytes);
  void erase_status();

  mutable std::mutex mutex_;
  const bool out_is_terminal_;
  const bool err_is_terminal_;
  bool mid_line_ = false;
  bool status_shown_ = false;
  bool reader_gone_ = false;
};

}  // namespace attache::cli
