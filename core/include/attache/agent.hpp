// SPDX-License-Identifier: Apache-2.0
// Agents, runs and streams.
#pragma once

#include <chrono>
#include <concepts>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <attache/api.hpp>
#include <attache/event.hpp>
#include <attache/host.hpp>
#include <attache/input.hpp>
#include <attache/result.hpp>
#include <attache/thread_store.hpp>

namespace attache {

/// Details that no error or event holds: source paths, messages of openers and of the system. They may be secret; the
/// host that asks for them owns what it does with them. Called on the thread the matter came up on, by several threads
/// at once; must not throw.
/// \since 0.2
struct Diagnostic {
  std::string where;                 ///< "open", "read", "write", "driver", "thread_store"
  std::optional<std::size_t> index;  ///< the input it is about
  std::string text;
};

/// Settings of an agent, fixed at construction. There is no default input: inputs belong to one call.
/// \since 0.1
struct AgentOptions {
  std::string config = "{}";          ///< JSON object for the driver, checked against its config schema
  std::filesystem::path workspace{};  ///< absolute directory the provider works in; empty: none
  InputLimits limits{};
  std::filesystem::path run_base{};  ///< where run directories go; empty: a private directory of ours
  input::Fidelity fidelity = input::Fidelity::any;
  bool forbid_retention = false;                 ///< refuse drivers that cannot keep the provider from keeping inputs
  std::chrono::milliseconds cancel_grace{5000};  ///< from a cancel to the forced end of the run
  std::shared_ptr<ThreadStore> thread_store{};   ///< for thread(); empty: an agent of single turns. \since 0.2
  bool allow_provider_urls = false;  ///< let the provider fetch URL inputs (and URL parts of a history). \since 0.2
  std::vector<std::string> provider_url_hosts{};  ///< only these hosts, exactly; empty: any. \since 0.2
  InputLimits history_limits{};                   ///< over the parts of a history, apart from the inputs. \since 0.2
  std::function<void(const Diagnostic&)> diagnostics{};  ///< see Diagnostic. \since 0.2
  std::size_t event_buffer = 1024;                       ///< events a stream holds before the driver is made to wait
};

struct RunSettings;

/// An option of one call of run(), stream() or plan(). Immutable: any thread, and for several calls at once.
/// \since 0.1
class ATTACHE_API RunOption {
 public:
  /// Applies itself to the settings; later options see what earlier ones did.
  void apply(RunSettings& settings) const;

 private:
  struct Base;
  template <class T>
  struct Holder;
  friend RunOption with_inputs(std::vector<input::Input> inputs);
  friend RunOption with_deadline(std::chrono::milliseconds total);
  friend RunOption with_idle_limit(std::chrono::milliseconds idle);
  friend RunOption with_stop_token(std::stop_token token);
  friend RunOption with_history(std::vector<Message> messages, PartResolver resolver);
  friend RunOption with_output_schema(std::string json_schema);
  explicit RunOption(std::shared_ptr<const Base> base) noexcept : base_(std::move(base)) {}
  std::shared_ptr<const Base> base_;
};

/// Appends inputs in argument order, after those of earlier with_inputs. An empty one is a no-op.
/// \since 0.1
ATTACHE_API RunOption with_inputs(std::vector<input::Input> inputs);
template <class... Inputs>
requires(sizeof...(Inputs) > 0 && (std::same_as<std::remove_cvref_t<Inputs>, input::Input> && ...)) RunOption
    with_inputs(Inputs&&... inputs) {
  std::vector<input::Input> list;
  list.reserve(sizeof...(inputs));
  (list.push_back(std::forward<Inputs>(inputs)), ...);
  return with_inputs(std::move(list));
}
/// The whole run, from the call on. Zero: none.
/// \since 0.1
ATTACHE_API RunOption with_deadline(std::chrono::milliseconds total);
/// The longest time without a byte to or from the provider. Zero: none.
/// \since 0.1
ATTACHE_API RunOption with_idle_limit(std::chrono::milliseconds idle);
/// Cancels the run when a stop is requested.
/// \since 0.1
ATTACHE_API RunOption with_stop_token(std::stop_token token);

/// The conversation before this turn, oldest first; needs a driver that declares history. Validated before anything
/// else; parts are materialized like inputs, under AgentOptions::history_limits. `resolver` gives the bytes of parts
/// that are references. Not for a turn of a thread that resumes (option_unsupported). The last one counts.
/// \since 0.2
ATTACHE_API RunOption with_history(std::vector<Message> messages, PartResolver resolver = {});
/// The answer must satisfy this JSON Schema; needs a driver that declares structured_output.
/// \since 0.2
ATTACHE_API RunOption with_output_schema(std::string json_schema);

/// What would become of one input.
/// \since 0.1
struct PlannedInput {
  std::size_t index = 0;
  input::Kind kind{};
  std::string name, media_type;
  std::uint64_t size = 0;  ///< 0 where nothing tells: openers, URLs, large files of a file system
  /// Unset: it would be refused, and `violations` says why; or, of an opener, neither name nor declared type tell.
  std::optional<input::Mode> mode;
  bool exact = false;  ///< inside the driver's exact bounds
  struct Violation {
    errc code{};
    std::string reason, text, limit_owner;
    std::optional<std::uint64_t> limit;
  };
  std::vector<Violation> violations;  ///< every rule it breaks
};

/// What a call would do, without starting or connecting to anything.
/// \since 0.1
struct ATTACHE_API Plan {
  std::vector<PlannedInput> inputs;
  std::vector<PlannedInput::Violation> set_violations;  ///< of the inputs together
  bool ok() const noexcept;
};

class Thread;
struct ThreadOptions;

/// A run in progress. Move-only. Threads: one at a time for everything but cancel() and run_id(), which any may call
/// meanwhile; not while it is moved or destroyed. Dropping it cancels the run and waits until everything of it is gone.
/// \since 0.1
class ATTACHE_API Stream {
 public:
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();

  /// The next event; waits for one. Unset: there is none any more. Throws nothing: failures come from result().
  std::optional<Event> next();
  /// Waits for the end and gives the outcome; events not taken are dropped. Repeatable: the same value or the
  /// same error each time. Throws Error (failed before the driver was entered) or RunError (after).
  Result result();
  /// [any thread] Asks the run to end; result() then throws RunError (or Error) with errc::cancelled. Idempotent.
  void cancel() noexcept;
  const std::string& run_id() const noexcept;
  /// A descriptor that is readable while next() would not wait, for hosts with their own loop. Owned by the stream;
  /// poll it, never read from it. -1 where it could not be made. \since 0.2
  int poll_descriptor() const noexcept;
  /// next() without waiting; unset also when there is no event yet: see at_end(). \since 0.2
  std::optional<Event> try_next();
  bool at_end() const noexcept;

  class iterator;
  struct sentinel {};
  iterator begin();
  sentinel end() const noexcept { return {}; }

 private:
  friend class Agent;
  friend class Thread;
  struct State;
  explicit Stream(std::shared_ptr<State> state) noexcept;
  std::shared_ptr<State> state_;
};

/// Single-pass, for range-for, on the thread that takes the events.
/// \since 0.1
class Stream::iterator {
 public:
  const Event& operator*() const noexcept { return *event_; }
  const Event* operator->() const noexcept { return &*event_; }
  iterator& operator++() {
    event_ = stream_->next();
    return *this;
  }
  bool operator!=(sentinel) const noexcept { return event_.has_value(); }
  bool operator==(sentinel) const noexcept { return !event_.has_value(); }

 private:
  friend class Stream;
  explicit iterator(Stream& stream) : stream_(&stream), event_(stream.next()) {}
  Stream* stream_;
  std::optional<Event> event_;
};

/// A driver with a configuration and limits. Construction starts nothing. Any thread, calls at once included; not
/// while it is moved or destroyed.
/// \since 0.1
class ATTACHE_API Agent {
 public:
  /// Throws Error: config_invalid, option_unsupported (forbid_retention, a driver that retains), driver_contract,
  /// internal.
  Agent(Driver driver, AgentOptions options = {});
  Agent(Agent&&) noexcept;
  Agent& operator=(Agent&&) noexcept;
  ~Agent();

  /// One turn: stream(), drained. Throws InputError or Error before the driver is entered, RunError after.
  template <class... Options>
  Result run(std::string prompt, const Options&... options) {
    return run_with(std::move(prompt), {options...});
  }
  /// Starts one turn and returns at once; failures, also early ones, come from Stream::result().
  template <class... Options>
  Stream stream(std::string prompt, const Options&... options) {
    return stream_with(std::move(prompt), {options...});
  }
  /// Declares and negotiates without materializing or launching; faults are violations. Throws Error: agent_closed.
  /// There is no prompt: limits that count it are judged as if it were empty. Uses the last inspection, and makes none.
  template <class... Options>
  Plan plan(const Options&... options) {
    return plan_with({options...});
  }

  Result run_with(std::string prompt, std::vector<RunOption> options);
  Stream stream_with(std::string prompt, std::vector<RunOption> options);
  Plan plan_with(std::vector<RunOption> options);

  /// The thread with this key (not empty) of the agent's thread store. Throws Error: option_unsupported (no store, or a
  /// driver that does not declare resume). \since 0.2
  Thread thread(std::string key);
  Thread thread(std::string key, ThreadOptions options);
  /// What the driver finds out live: JSON with "version", "account", "models", "inputs", as far as it tells; "{}"
  /// where it offers no inspection. May start the provider, delivers nothing. Narrows what later runs may use.
  /// \since 0.2
  std::string inspect();
  /// Warms the driver; opens no source and makes no directory. \since 0.2
  void prepare();

  /// Fences new runs, cancels those in progress and waits for them, bounded by the cancel grace. Idempotent.
  void close();

  const Descriptor& descriptor() const noexcept;
  /// What this configuration leaves of the descriptor.
  const InputCapabilities& capabilities() const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace attache
