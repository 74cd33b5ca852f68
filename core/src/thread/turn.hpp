// SPDX-License-Identifier: Apache-2.0
// One turn of a thread, from its lease to what is kept of it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <attache/event.hpp>
#include <attache/thread.hpp>
#include <attache/thread_store.hpp>

namespace attache::threads {

/// A thread that is still to be made out of another one, by its own first healthy turn.
struct PendingFork {
  std::string checkpoint_json;
  bool tainted = false;
  std::atomic<bool> made{false};
};

/// What a turn works on.
struct TurnTerms {
  std::shared_ptr<ThreadStore> store;
  std::string key;
  std::string id;           ///< what the driver is shown
  std::string fingerprint;  ///< of the agent
  ThreadOptions options;
  std::shared_ptr<PendingFork> fork;  ///< null: no fork of another thread
  std::function<void(const Diagnostic&)> diagnostics;
};

class Turn {
 public:
  explicit Turn(TurnTerms terms) : terms_(std::move(terms)) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Takes the lease and finds what to resume from. Throws Error: thread_busy, thread_unknown, thread_incompatible,
  /// thread_exists, thread_store.
  void begin();
  const std::string& key() const noexcept { return terms_.key; }
  const std::string& id() const noexcept { return terms_.id; }
  /// Empty: a new session.
  const std::string& checkpoint() const noexcept { return checkpoint_; }
  bool resumes() const noexcept { return !checkpoint_.empty(); }
  /// The checkpoint is another thread's: it must be left as it is.
  bool must_fork() const noexcept { return of_another_; }

  /// Call before the driver is entered. Where the provider's own history may take part in the turn, the record says so
  /// until the turn is concluded: a host that dies in it leaves a thread that is known to be tainted. Throws Error:
  /// thread_store.
  void enter(bool on_fork);

  /// A session that the provider does not have any more may be replaced by a new one.
  bool may_restart() const noexcept { return resumes() && !terms_.options.resume_only; }
  void restart() noexcept;

  struct Outcome {
    bool healthy = false;
    bool on_fork = false;         ///< the driver was asked to continue on a fork
    std::string checkpoint_json;  ///< of a healthy turn; empty: the driver gave none
    Delivery delivery = Delivery::not_started;
  };
  struct Conclusion {
    bool tainted = false;
    std::vector<Notice> notices;
  };
  /// Saves the checkpoint of a healthy turn, or that a bad one may be in the provider's history. Once. A store that
  /// fails is told by a notice: what the provider said is not lost over it.
  Conclusion conclude(const Outcome& outcome);
  /// Takes back what enter() noted if the turn was never concluded, and ends the lease. Idempotent; by the thread that
  /// called begin().
  void release() noexcept;

 private:
  void resume_fork();
  void conclude_healthy(const Outcome& outcome, Conclusion& conclusion);
  void conclude_bad(const Outcome& outcome);
  bool save(const ThreadRecord& record);
  bool save(const ThreadRecord& record, Conclusion& conclusion);
  bool take_back_note() noexcept;

  TurnTerms terms_;
  std::unique_ptr<ThreadLease> lease_;
  std::optional<ThreadRecord> record_;
  std::string checkpoint_;
  bool tainted_ = false;
  bool of_another_ = false;
  bool noted_ = false;  ///< the stored record says tainted on account of this turn
  bool told_not_saved_ = false;
};

/// The thread's record. Whatever the store throws becomes an Error, with the details for the hook.
std::optional<ThreadRecord> load(ThreadStore& store, const std::string& key,
                                 const std::function<void(const Diagnostic&)>& diagnostics);

}  // namespace attache::threads
