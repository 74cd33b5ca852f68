// SPDX-License-Identifier: Apache-2.0
#include "thread/turn.hpp"

#include <nlohmann/json.hpp>

#include "run/diagnose.hpp"

namespace attache::threads {
namespace {

using Hook = std::function<void(const Diagnostic&)>;

/// Calls a store. A store of the host's own may throw anything.
template <class Work>
auto ask(const Hook& hook, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    run::diagnose(hook, "thread_store", error.what());
    throw;
  } catch (const std::exception& error) {
    run::diagnose(hook, "thread_store", error.what());
  } catch (...) {
    run::diagnose(hook, "thread_store", "an exception that is no std::exception");
  }
  throw Error(errc::thread_store, "store_failed", "the thread store failed");
}

Notice not_saved() {
  return {"thread_not_saved", "The thread store did not take what this turn left; the thread stays as it was.", {}};
}

bool same_json(const std::string& one, const std::string& other) {
  const auto parsed = nlohmann::json::parse(one, nullptr, false);
  return !parsed.is_discarded() && parsed == nlohmann::json::parse(other, nullptr, false);
}

}  // namespace

std::optional<ThreadRecord> load(ThreadStore& store, const std::string& key, const Hook& diagnostics) {
  return ask(diagnostics, [&] { return store.load(key); });
}

void Turn::begin() {
  lease_ = ask(terms_.diagnostics, [&] { return terms_.store->lease(terms_.key); });
  if (lease_ == nullptr) {
    throw Error(errc::thread_busy, "thread_busy", "another turn of this thread is running");
  }
  record_ = load(*terms_.store, terms_.key, terms_.diagnostics);
  if (terms_.fork != nullptr && !terms_.fork->made) {
    resume_fork();
    return;
  }
  const ThreadOptions& options = terms_.options;
  if (!record_.has_value()) {
    if (options.resume_only) {
      throw Error(errc::thread_unknown, "thread_unknown", "the thread store does not know this thread");
    }
    return;
  }
  if (record_->fingerprint != terms_.fingerprint) {
    if (options.resume_only || !options.restart_when_incompatible) {
      throw Error(errc::thread_incompatible, "thread_incompatible",
                  "the thread was made with another driver, configuration or workspace");
    }
    return;
  }
  checkpoint_ = record_->checkpoint_json;
  tainted_ = record_->tainted;
}

void Turn::resume_fork() {
  if (record_.has_value()) {
    throw Error(errc::thread_exists, "thread_exists", "the key of the fork was taken by another thread");
  }
  checkpoint_ = terms_.fork->checkpoint_json;
  tainted_ = terms_.fork->tainted;
  of_another_ = true;
}

void Turn::enter(bool on_fork) {
  if (!resumes() || on_fork || of_another_ || tainted_ || !record_.has_value()) {
    return;
  }
  ThreadRecord note = *record_;
  note.tainted = true;
  if (!ask(terms_.diagnostics, [&] { return terms_.store->save(terms_.key, note); })) {
    throw Error(errc::thread_store, "record_changed", "the thread's record was changed by somebody without the lease");
  }
  noted_ = true;
  std::optional<ThreadRecord> stored = load(*terms_.store, terms_.key, terms_.diagnostics);
  if (!stored.has_value()) {
    throw Error(errc::thread_store, "record_changed", "the thread's record was erased by somebody without the lease");
  }
  record_ = std::move(stored);
}

bool Turn::take_back_note() noexcept {
  try {
    if (noted_) {
      ThreadRecord as_before = *record_;
      as_before.tainted = false;
      noted_ = !save(as_before);
      if (!noted_) {
        record_ = load(*terms_.store, terms_.key, terms_.diagnostics);
      }
    }
  } catch (...) {
    // Told to the hook. What is not taken back stays noted.
  }
  return !noted_;
}

void Turn::restart() noexcept {
  take_back_note();  // the session that was rejected saw nothing
  checkpoint_.clear();
  tainted_ = false;
  of_another_ = false;
}

Turn::Conclusion Turn::conclude(const Outcome& outcome) {
  Conclusion conclusion;
  outcome.healthy ? conclude_healthy(outcome, conclusion) : conclude_bad(outcome);
  if (!tainted_ && !take_back_note()) {
    tainted_ = true;  // the store says so, and will
    if (!told_not_saved_) {
      conclusion.notices.push_back(not_saved());
    }
  }
  noted_ = false;
  conclusion.tainted = tainted_;
  return conclusion;
}

void Turn::conclude_healthy(const Outcome& outcome, Conclusion& conclusion) {
  if (outcome.checkpoint_json.empty()) {
    conclusion.notices.push_back({"checkpoint_missing", "The thread cannot be continued from this turn.", {}});
    return;
  }
  if (outcome.on_fork && same_json(outcome.checkpoint_json, checkpoint_)) {
    conclusion.notices.push_back({"fork_ignored", "The driver did not fork the provider's session as asked.", {}});
    if (of_another_) {
      return;  // two threads must not share a session
    }
  }
  ThreadRecord next;
  next.fingerprint = terms_.fingerprint;
  next.checkpoint_json = outcome.checkpoint_json;
  next.tainted = tainted_;
  next.revision = record_.has_value() ? record_->revision : 0;
  if (!save(next, conclusion)) {
    return;
  }
  noted_ = false;
  if (terms_.fork != nullptr) {
    terms_.fork->made = true;
  }
}

void Turn::conclude_bad(const Outcome& outcome) {
  const bool seen = outcome.delivery >= Delivery::indeterminate;
  if (!resumes() || outcome.on_fork || !seen) {
    return;  // the session that the next turn resumes from never saw this one
  }
  tainted_ = true;  // as enter() noted
}

bool Turn::save(const ThreadRecord& record) {
  try {
    const bool saved = ask(terms_.diagnostics, [&] { return terms_.store->save(terms_.key, record); });
    if (!saved) {
      run::diagnose(terms_.diagnostics, "thread_store", "the record was changed by somebody without the lease");
    }
    return saved;
  } catch (const Error&) {
    return false;
  }
}

bool Turn::save(const ThreadRecord& record, Conclusion& conclusion) {
  const bool saved = save(record);
  if (!saved) {
    told_not_saved_ = true;
    conclusion.notices.push_back(not_saved());
  }
  return saved;
}

void Turn::release() noexcept {
  take_back_note();
  lease_.reset();
}

}  // namespace attache::threads
