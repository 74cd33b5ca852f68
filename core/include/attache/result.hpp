// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <attache/api.hpp>
#include <attache/event.hpp>
#include <attache/input.hpp>
#include <attache/message.hpp>

namespace attache {

/// An input as it was delivered: observed size and digest, chosen mode. Holds no path.
/// \since 0.1
struct ResolvedInput {
  std::string id;
  std::size_t index = 0;
  input::Kind kind{};
  input::Mode mode{};
  std::string name;
  std::string media_type;
  std::uint64_t size = 0;
  input::Digest sha256{};
};

/// What a run left. Complete also when the run failed after the driver was entered (then inside RunError).
/// \since 0.1
struct Result {
  std::string run_id;
  std::string text;             ///< the provider's final answer, exactly as it said it
  std::string provider, model;  ///< empty: not told
  std::string usage_json;       ///< empty: not told
  std::vector<ResolvedInput> inputs;
  std::vector<Receipt> receipts;  ///< one for each input, in argument order; unknown where nothing was told
  std::vector<Notice> notices;
  std::string checkpoint_json;  ///< from the driver, only of a healthy run
  Delivery delivery = Delivery::not_started;
  std::string thread_key;         ///< empty: not a turn of a thread. \since 0.2
  bool thread_tainted = false;    ///< the provider may keep this failed turn in its history. \since 0.2
  std::vector<Message> messages;  ///< with_history: the conversation with this turn, inputs as references. \since 0.2
  std::uint64_t contract_violations = 0;  ///< late or misplaced calls of the driver that were dropped
};

/// The run failed after the driver was entered. Immutable, any thread.
/// \since 0.1
class ATTACHE_API RunError : public Error {
 public:
  RunError(errc code, std::string reason, const std::string& text, Result result,
           std::optional<InputErrorFields> input);
  const Result& result() const noexcept { return result_; }
  Delivery delivery() const noexcept { return result_.delivery; }
  /// Set when the failure is about one input.
  const std::optional<InputErrorFields>& input() const noexcept { return input_; }
  std::uint32_t provider_code = 0;  ///< HTTP status or exit code, where there is one
  std::string request_id;           ///< the provider's id for the request, where it gave one

 private:
  Result result_;
  std::optional<InputErrorFields> input_;
};

}  // namespace attache
