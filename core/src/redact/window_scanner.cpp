// SPDX-License-Identifier: Apache-2.0
#include "redact/window_scanner.hpp"

#include <algorithm>

namespace attache::redact {
namespace {

constexpr std::size_t longest_hold = 64U << 10;
constexpr std::size_t shortened_hold = 32U << 10;

}  // namespace

bool WindowScanner::extends(Form form, char c) const noexcept {
  return (form == Form::text && reach_ == Reach::everything) || continues(form, c);
}

std::string WindowScanner::push(std::string_view piece) {
  if (windows_->empty()) {
    return std::string(piece);
  }
  std::string out;
  if (open_run_.has_value()) {
    const auto end = std::find_if_not(piece.begin(), piece.end(), [this](char c) { return extends(*open_run_, c); });
    piece.remove_prefix(static_cast<std::size_t>(end - piece.begin()));
    if (piece.empty()) {
      return out;
    }
    open_run_.reset();
  }
  buffer_.append(piece);
  replace_hits(out);

  // What was held back before has no end of line.
  const std::size_t newline = piece.rfind('\n');
  const std::size_t after = buffer_.size() - piece.size() + newline + 1;
  std::size_t hold = newline == std::string_view::npos ? handed_ : std::max(handed_, after);
  if (buffer_.size() - hold > longest_hold) {
    hold = buffer_.size() - shortened_hold;
  }
  out.append(buffer_, handed_, hold - handed_);
  const std::size_t context = std::min(hold, InputWindows::length - 1);
  examined_ -= std::min(examined_, hold - context);
  buffer_.erase(0, hold - context);
  handed_ = context;
  return out;
}

std::string WindowScanner::flush() {
  std::string out = buffer_.substr(handed_);
  buffer_.clear();
  handed_ = 0;
  examined_ = 0;
  open_run_.reset();
  return out;
}

void WindowScanner::replace_hits(std::string& out) {
  constexpr std::size_t length = InputWindows::length;
  std::size_t at = examined_;
  bool fresh = true;
  std::uint64_t hash = 0;
  while (at + length <= buffer_.size()) {
    hash = fresh ? InputWindows::hash(buffer_.data() + at) : hash;
    fresh = false;
    const InputWindows::Hit* hit = windows_->find(hash, buffer_.data() + at);
    if (hit == nullptr) {
      if (at + length < buffer_.size()) {
        hash = InputWindows::roll(hash, buffer_[at], buffer_[at + length]);
      }
      ++at;
      continue;
    }
    std::size_t begin = std::max(at, handed_);
    while (begin > handed_ && buffer_[begin - 1] != '=' && extends(hit->form, buffer_[begin - 1])) {
      --begin;
    }
    std::size_t end = at + length;
    while (end < buffer_.size() && extends(hit->form, buffer_[end])) {
      ++end;
    }
    out.append(buffer_, handed_, begin - handed_);
    out += "[attache: input " + windows_->id(hit->input) + " removed]";
    if (end == buffer_.size() && hit->form != Form::binary) {
      open_run_ = hit->form;
    }
    handed_ = end;
    at = end;
    fresh = true;
  }
  examined_ = at;
}

}  // namespace attache::redact
