// SPDX-License-Identifier: Apache-2.0
//
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "wire/dialect_impl.hpp"
#include "wire/variables.hpp"

namespace attache::conformance {

/// Where an answer goes. `write` returns false when the connection is gone; `wait` waits that many milliseconds, or
/// for ever when negative, and returns false when the recorder is being stopped.
struct AnswerSink {
  std::function<bool(std::string_view)> write;
  std::function<bool(std::int64_t)> wait;
};

/// How an answer left the connection.
enum class AnswerEnd { keep, close };

/// Runs the steps up to the first response. `frame` may be null (no JSON in the body).
AnswerEnd answer_turn(const Json& steps, const Json* frame, Variables& variables, bool keep_alive,
                      const AnswerSink& sink);

/// A fixed response. `with_body` is false for HEAD.
AnswerEnd answer_fixed(int status, const Json& body, bool with_body, bool keep_alive, const AnswerSink& sink);

}  // namespace attache::conformance
