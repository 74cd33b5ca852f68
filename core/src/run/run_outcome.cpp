// SPDX-License-Identifier: Apache-2.0
// How a run whose driver was entered becomes a result.
#include <fmt/format.h>

#include "run/history.hpp"
#include "run/run.hpp"

namespace attache::run {

void Run::publish(std::optional<Failure> failure, Driven driver) {
  const bool healthy = !failure.has_value();
  Result result = recorder_->result();
  result.run_id = id_;
  if (healthy) {
    result.checkpoint_json = recorder_->attempt().checkpoint;
    if (settings_.history != nullptr) {
      result.messages = conversation(*settings_.history, history_parts_, prompt_, inputs_, result.text);
    }
  }
  const std::vector<Notice> notices = conclude_turn(healthy, result);
  if (result.contract_violations > 0) {
    diagnose(terms_.diagnostics, "driver",
             fmt::format("{} calls of the driver were late or out of order", result.contract_violations));
  }
  if (driver == Driven::done) {
    clean_up();
  }
  for (const Notice& notice : notices) {
    recorder_->note(notice);
    result.notices.push_back(notice);
  }
  recorder_->finish();
  Completed last{result.text, healthy};
  if (healthy) {
    settle(std::move(result), nullptr, std::move(last));
  } else {
    settle(std::nullopt, std::make_exception_ptr(run_error(*failure, std::move(result))), std::move(last));
  }
}

std::vector<Notice> Run::conclude_turn(bool healthy, Result& result) {
  if (turn_ == nullptr) {
    return {};
  }
  result.thread_key = turn_->key();
  threads::Turn::Conclusion conclusion = turn_->conclude({healthy, on_fork_, result.checkpoint_json, result.delivery});
  result.thread_tainted = conclusion.tainted;
  return std::move(conclusion.notices);
}

}  // namespace attache::run
