// SPDX-License-Identifier: Apache-2.0
#include "check/runner.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include <attache/sdk/sha256.hpp>

#include "check/job.hpp"
#include "check/job_process.hpp"
#include "check/matrix.hpp"
#include "check/registry.hpp"
#include "checks/static_checks.hpp"
#include "wire/dialect.hpp"

namespace attache::conformance {
namespace {

struct Task {
  const Job* job;
  std::string cell;
};

bool selected(const std::string& id, const std::string& filter) {
  const CheckEntry* entry = Registry::built_in().find(id);
  return entry != nullptr && matches(*entry, filter);
}

bool any_selected(const Job& job, const std::string& filter) {
  return std::any_of(job.ids.begin(), job.ids.end(), [&](const std::string& id) { return selected(id, filter); });
}

/// The first job loads the driver, whatever the provider.
bool belongs(const Job& job, const CheckOptions& options) {
  return &job == &jobs().front() || job.real == !options.provider.empty();
}

/// One plugin on its way through the checks.
class Examination {
 public:
  Examination(std::filesystem::path plugin, const CheckOptions& options)
      : plugin_(std::move(plugin)), options_(options), file_(read_plugin_file(plugin_)) {}

  PluginReport run() {
    auto begin = std::chrono::steady_clock::now();
    describe();
    auto first = static_checks(file_);
    for (auto& result : first) keep(std::move(result));
    if (!file_.ok || !file_.descriptor) {
      refuse_all("the file or its descriptor failed a static check");
    } else {
      find_dialect();
      run_jobs();
    }
    finish();
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(report_);
  }

 private:
  void describe() {
    report_.file = plugin_.filename().string();
    report_.sha256 = file_.sha256;
    report_.seed = options_.seed;
    report_.provider = options_.provider.empty() ? "embedded" : "real";
    if (!file_.ok) report_.load_failure = load_failure(plugin_, file_);
    if (!file_.descriptor) return;
    const Descriptor& descriptor = *file_.descriptor;
    sdk::Sha256 digest;
    digest.update(descriptor.json);
    report_.descriptor_sha256 = sdk::to_hex(digest.finish());
    report_.id = descriptor.id;
    report_.name = descriptor.name;
    report_.version = descriptor.version;
    report_.transport = descriptor.transport;
    report_.protocol = descriptor.protocol;
    report_.spi_major = descriptor.spi_major;
    report_.spi_built_minor = descriptor.spi_built_minor;
    report_.spi_min_minor = descriptor.spi_min_minor;
  }

  void find_dialect() {
    try {
      Dialect dialect = Dialect::find(file_.descriptor->protocol, plugin_.parent_path());
      report_.dialect = dialect.id();
      report_.dialect_version = dialect.version();
      report_.provider_version = dialect.provider_version();
      if (!options_.provider.empty() && dialect.real() == nullptr) {
        dialect_missing_ = fmt::format("the dialect {} does not say how to lead a real provider", dialect.id());
      }
      if (dialect.transport() != "process") dialect_missing_ = "this kit has no stand-in for its transport yet";
    } catch (const std::exception&) {
      dialect_missing_ = fmt::format("no usable dialect for the protocol {}", file_.descriptor->protocol);
    }
  }

  void keep(CheckResult result) {
    const CheckEntry* entry = Registry::built_in().find(result.id);
    if (entry == nullptr) {
      report_.faults.push_back(fmt::format("a result for {}, which the registry does not know", result.id));
    } else if (matches(*entry, options_.filter)) {
      if (result.outcome == Outcome::fail && !entry->binding()) result.outcome = Outcome::warn;
      report_.results.push_back(std::move(result));
    }
  }

  void settle(const Job& job, const std::string& cell, Outcome outcome, const std::string& why) {
    for (const auto& id : job.ids) keep({id, cell, outcome, why, {}});
  }

  void refuse_all(const std::string& why) {
    for (const auto& job : jobs()) {
      if (belongs(job, options_)) settle(job, {}, Outcome::not_run, why);
    }
  }

  /// The tasks of a job; none when its checks are settled without one.
  std::vector<Task> plan(const Job& job) {
    const Descriptor& descriptor = *file_.descriptor;
    for (const auto& id : job.ids) {
      const CheckEntry* entry = Registry::built_in().find(id);
      std::string closed = entry == nullptr ? std::string() : closed_gate(entry->gate, descriptor);
      if (closed.empty()) continue;
      settle(job, {}, Outcome::not_applicable, closed);
      return {};
    }
    std::vector<std::string> cells = job.cells == nullptr ? std::vector<std::string>{""} : job.cells(descriptor);
    std::vector<Task> tasks;
    for (const auto& cell : cells) {
      if (job.needs_dialect && !dialect_missing_.empty()) {
        settle(job, cell, Outcome::not_run, dialect_missing_);
      } else {
        tasks.push_back({&job, cell});
      }
    }
    if (cells.empty()) settle(job, {}, Outcome::not_applicable, "the descriptor leaves no case to try");
    return tasks;
  }

  void run_jobs() {
    std::vector<Task> tasks;
    bool loads = true;
    for (const auto& job : jobs()) {
      if (!belongs(job, options_) || !any_selected(job, options_.filter)) continue;
      if (!loads) {
        settle(job, {}, Outcome::not_run, "the driver could not be loaded");
      } else if (&job == &jobs().front()) {
        carry_out(plan(job));
        loads = std::all_of(report_.results.begin(), report_.results.end(), [&](const CheckResult& result) {
          bool mine = std::find(job.ids.begin(), job.ids.end(), result.id) != job.ids.end();
          return !mine || result.outcome == Outcome::pass || result.outcome == Outcome::warn;
        });
      } else {
        auto more = plan(job);
        tasks.insert(tasks.end(), more.begin(), more.end());
      }
    }
    carry_out(tasks);
  }

  void carry_out(const std::vector<Task>& tasks) {
    std::atomic<std::size_t> next{0};
    std::vector<std::thread> threads;
    auto work = [&] {
      for (std::size_t i; (i = next++) < tasks.size();) carry_out(tasks[i]);
    };
    for (unsigned i = 1; i < std::min<std::size_t>(options_.jobs, tasks.size()); ++i) threads.emplace_back(work);
    work();
    for (auto& thread : threads) thread.join();
  }

  void carry_out(const Task& task) {
    JobOutcome outcome;
    try {
      outcome = run_job(*task.job, task.cell, plugin_, options_);
    } catch (const std::exception& error) {
      outcome.faults.push_back(fmt::format("job {}: {}", task.job->name, error.what()));
    }
    std::lock_guard lock(mutex_);
    for (auto& result : outcome.results) keep(std::move(result));
    for (auto& fault : outcome.faults) report_.faults.push_back(std::move(fault));
    if (options_.on_progress) options_.on_progress(task.job->name);
  }

  void finish() {
    const Registry& registry = Registry::built_in();
    std::stable_sort(report_.results.begin(), report_.results.end(), [&](const CheckResult& a, const CheckResult& b) {
      auto left = registry.position(a.id), right = registry.position(b.id);
      return left != right ? left < right : a.coordinates < b.coordinates;
    });
    if (file_.descriptor) report_.matrix = make_matrix(*file_.descriptor, report_);
    report_.verdict = judge();
  }

  Verdict judge() const {
    bool incomplete = false;
    for (const auto& result : report_.results) {
      if (!Registry::built_in().find(result.id)->binding()) continue;
      if (result.outcome == Outcome::fail || result.outcome == Outcome::crashed ||
          result.outcome == Outcome::timed_out) {
        return Verdict::not_conformant;
      }
      incomplete = incomplete || result.outcome == Outcome::not_run;
    }
    if (!report_.faults.empty()) return Verdict::kit_fault;
    return incomplete ? Verdict::incomplete : Verdict::conformant;
  }

  std::filesystem::path plugin_;
  const CheckOptions& options_;
  FileReport file_;
  PluginReport report_;
  std::string dialect_missing_;
  std::mutex mutex_;
};

}  // namespace

std::size_t count_selected(const CheckOptions& options) {
  std::size_t count = 0;
  for (const auto& id : static_check_ids()) count += selected(id, options.filter) ? 1 : 0;
  for (const auto& job : jobs()) {
    if (!belongs(job, options)) continue;
    for (const auto& id : job.ids) count += selected(id, options.filter) ? 1 : 0;
  }
  return count;
}

PluginReport check_plugin(const std::filesystem::path& plugin, const CheckOptions& options) {
  return Examination(plugin, options).run();
}

}  // namespace attache::conformance
