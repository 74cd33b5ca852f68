// SPDX-License-Identifier: Apache-2.0
#include "inputs/copy_all.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace attache::inputs {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t most_threads = 4;

/// By what is known: a source that does not tell its size and filled the peek may be.
bool is_large(const Subject& subject) noexcept {
  return subject.source && (subject.size ? *subject.size >= large_input : subject.prefix.size() == peek_bytes);
}

class Copier {
 public:
  Copier(std::span<Subject> subjects, RunDirectory& directory, const Terms& terms)
      : subjects_(subjects),
        directory_(directory),
        terms_(terms),
        budget_(total_limit(terms)),
        findings_(subjects.size(), Findings(terms)),
        errors_(subjects.size()),
        copies_(subjects.size()),
        end_(subjects.size()) {}

  void run(std::size_t threads) {
    const auto buffers = std::make_unique_for_overwrite<std::byte[]>(threads * buffer_bytes);
    const auto buffer = [&](std::size_t i) { return std::span(buffers.get() + i * buffer_bytes, buffer_bytes); };
    std::vector<std::jthread> others;
    others.reserve(threads);
    try {
      while (others.size() + 1 < threads) {
        others.emplace_back([this, mine = buffer(others.size() + 1)] { work(mine); });
      }
    } catch (const std::system_error&) {
      // With fewer threads it takes longer, no more.
    }
    work(buffer(0));
  }

  std::vector<Copy> take(const std::stop_token& stop) {
    for (const Findings& found : findings_) {
      if (found.about_one()) found.raise();
    }
    for (const Findings& found : findings_) found.raise();
    check_stop(stop);
    for (const std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(error);
    }
    return std::move(copies_);
  }

 private:
  void work(std::span<std::byte> buffer) noexcept {
    for (std::size_t i = next_++; i < end_; i = next_++) {
      if (subjects_[i].source) copy(i, buffer);
    }
  }

  void copy(std::size_t i, std::span<std::byte> buffer) noexcept {
    try {
      if (auto copied = materialize(subjects_[i], directory_, terms_, budget_, buffer, findings_[i])) {
        copies_[i] = std::move(*copied);
        return;
      }
    } catch (...) {
      errors_[i] = std::current_exception();
    }
    // A fault of the inputs together ends the copying of all.
    give_up_from(findings_[i].all().empty() || findings_[i].about_one() ? i + 1 : 0);
  }

  void give_up_from(std::size_t first) noexcept {
    const std::lock_guard lock(mutex_);
    end_ = std::min(end_.load(), first);
    for (Subject& subject : subjects_.subspan(first)) subject.stop.request_stop();
  }

  std::span<Subject> subjects_;
  RunDirectory& directory_;
  const Terms& terms_;
  CopyBudget budget_;
  std::vector<Findings> findings_;
  std::vector<std::exception_ptr> errors_;
  std::vector<Copy> copies_;
  std::mutex mutex_;
  std::atomic<std::size_t> next_{0}, end_;
};

}  // namespace

std::size_t copy_threads(std::span<const Subject> subjects) noexcept {
  const auto large = static_cast<std::size_t>(std::count_if(subjects.begin(), subjects.end(), is_large));
  const std::size_t machine = std::max(std::thread::hardware_concurrency(), 1u);
  return std::max<std::size_t>(std::min({large, machine, most_threads}), 1);
}

std::vector<Copy> copy_all(std::span<Subject> subjects, RunDirectory& directory, const Terms& terms,
                           std::size_t threads, const std::stop_token& stop) {
  Copier copier(subjects, directory, terms);
  copier.run(threads);
  return copier.take(stop);
}

}  // namespace attache::inputs
