// SPDX-License-Identifier: Apache-2.0
#include "printer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "terminal.hpp"
#include "terminal_text.hpp"

namespace attache::cli {

Printer::Printer() : out_is_terminal_(is_terminal(Channel::out)), err_is_terminal_(is_terminal(Channel::err)) {}

void Printer::out(std::string_view bytes) {
  erase_status();
  if (!bytes.empty() && !reader_gone_) {
    reader_gone_ = !write_all(Channel::out, bytes);
    mid_line_ = bytes.back() != '\n';
  }
}

void Printer::erase_status() {
  if (status_shown_) {
    write_all(Channel::err, "\r\x1b[K");
    status_shown_ = false;
  }
}

void Printer::answer(std::string_view text) {
  const std::lock_guard lock(mutex_);
  out_is_terminal_ ? out(shown_text(text)) : out(text);
}

void Printer::end_answer() {
  const std::lock_guard lock(mutex_);
  if (mid_line_) {
    out("\n");
  }
}

void Printer::json(const nlohmann::ordered_json& value) {
  const std::lock_guard lock(mutex_);
  out(value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void Printer::line(std::string_view text) {
  const std::lock_guard lock(mutex_);
  out(one_line(text) + "\n");
}

void Printer::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase_status();
  const bool break_first = mid_line_ && out_is_terminal_ && err_is_terminal_;
  mid_line_ = mid_line_ && !break_first;
  write_all(Channel::err, fmt::format("{}{}\n", break_first ? "\n" : "", one_line(text)));
}

void Printer::status(std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase_status();
  if (err_is_terminal_ && !text.empty() && !mid_line_) {
    write_all(Channel::err, one_line(text));
    status_shown_ = true;
  }
}

bool Printer::reader_gone() const {
  const std::lock_guard lock(mutex_);
  return reader_gone_;
}

}  // namespace attache::cli
