// SPDX-License-Identifier: Apache-2.0
#include "check/job_process.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include <attache/sdk/child_process.hpp>

#include "check/channel.hpp"
#include "check/scratch.hpp"

namespace attache::conformance {
namespace {

class Listener {
 public:
  Listener(std::string cell, std::string token) : cell_(std::move(cell)), token_(std::move(token)) {}

  bool feed(std::string_view bytes) {
    pending_ += bytes;
    for (std::size_t end; (end = pending_.find('\n')) != std::string::npos; pending_.erase(0, end + 1)) {
      line(std::string_view(pending_).substr(0, end));
    }
    return true;
  }
  JobOutcome outcome(const Job& job) {
    for (const auto& id : job.ids) {
      bool known = std::any_of(outcome_.results.begin(), outcome_.results.end(),
                               [&](const CheckResult& result) { return result.id == id; });
      if (!known) outcome_.results.push_back(missing(id));
    }
    for (auto& result : outcome_.results) {
      if (!foreign_ || result.outcome != Outcome::pass) continue;
      result.outcome = Outcome::fail;
      result.reason = "something of the driver wrote where only the kit writes";
    }
    if (!ended_) outcome_.faults.push_back(fmt::format("the process of job {} ended without a word", job.name));
    return std::move(outcome_);
  }

 private:
  void line(std::string_view text) {
    if (text.substr(0, token_.size()) != token_) {
      foreign_ = foreign_ || !text.empty();
    } else if (auto message = decode(text.substr(token_.size()))) {
      take(std::move(*message));
    }
  }
  void take(Message message) {
    switch (message.type) {
      case Message::Type::begin:
        current_ = message.text;
        break;
      case Message::Type::stage:
        stage_ = message.text;
        break;
      case Message::Type::fault:
        outcome_.faults.push_back(message.text);
        break;
      case Message::Type::result:
        if (message.result.id == current_) current_.clear();
        outcome_.results.push_back(std::move(message.result));
        break;
      case Message::Type::ended:
        ended_ = true;
        how_ = message.how;
        value_ = message.value;
        break;
    }
  }
  /// The check that was under way takes the blame; the ones that had not begun did not run.
  CheckResult missing(const std::string& id) const {
    CheckResult result{id, cell_, Outcome::not_run, "the check did not get its turn", {}};
    bool abnormal = how_ == "signalled" || how_ == "timed-out" || (how_ == "exited" && outcome_.faults.empty());
    if (abnormal && !current_.empty()) {
      if (id != current_) {
        result.reason = fmt::format("{} ended the process first", current_);
      } else if (how_ == "timed-out") {
        result.outcome = Outcome::timed_out;
        result.reason = fmt::format("still busy at the time limit, stage {}", stage_);
      } else if (how_ == "signalled") {
        result.outcome = Outcome::crashed;
        result.reason = fmt::format("signal {} ({}), stage {}", value_, ::strsignal(value_), stage_);
      } else {
        result.outcome = Outcome::crashed;
        result.reason = fmt::format("the process was ended by an exit with code {}, stage {}", value_, stage_);
      }
    } else if (!outcome_.faults.empty()) {
      result.reason = "a fault of the kit kept it from running";
    }
    return result;
  }

  std::string cell_, token_, pending_, current_, stage_ = "start", how_;
  int value_ = 0;
  bool ended_ = false, foreign_ = false;
  JobOutcome outcome_;
};

/// Not from the seed: whoever knows that must not know this.
std::string fresh_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x} ", random(), random(), random(), random());
}

class OneLine : public sdk::ByteSource {
 public:
  explicit OneLine(std::string line) : line_(std::move(line) + "\n") {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = line_.copy(buffer.data(), buffer.size(), done_);
    done_ += count;
    return count;
  }

 private:
  std::string line_;
  std::size_t done_ = 0;
};

std::vector<std::string> scrubbed_environment(const std::filesystem::path& scratch) {
  std::vector<std::string> environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8",
                                          "HOME=" + (scratch / "home").string(),
                                          "TMPDIR=" + (scratch / "tmp").string()};
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

}  // namespace

JobOutcome run_job(const Job& job, const std::string& cell, const std::filesystem::path& plugin,
                   const CheckOptions& options) {
  Scratch scratch;
  auto specification = scratch.path() / "job.json";
  JobSpec spec;
  spec.plugin = plugin;
  spec.scratch = scratch.path();
  spec.job = job.name;
  spec.cell = cell;
  spec.seed = options.seed;
  if (job.real) spec.provider = options.provider;
  spec.config = options.config;
  spec.limit_ms = options.time_limit.count();
  spec.token = fresh_token();
  spec.save(specification);

  sdk::SpawnOptions start;
  start.executable = options.executable.string();
  start.arguments = {"__job", specification.string()};
  start.environment = scrubbed_environment(scratch.path());
  start.working_directory = scratch.path().string();
  Listener listener(cell, spec.token);
  auto child = sdk::ChildProcess::spawn(start);
  child.send(std::make_unique<OneLine>(spec.token));
  child.close_input();
  sdk::ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) { return listener.feed(bytes); };
  sdk::ChildProcess::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + options.time_limit + std::chrono::seconds(15);
  child.pump(handlers, limits);
  child.end(std::chrono::milliseconds(200));
  return listener.outcome(job);
}

}  // namespace attache::conformance
