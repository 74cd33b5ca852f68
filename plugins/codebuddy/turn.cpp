// SPDX-License-Identifier: Apache-2.0
#include "turn.hpp"

#include <nlohmann/json.hpp>

#include "receipts.hpp"
#include "verdict.hpp"

namespace attache::codebuddy {

bool Turn::take(const sdk::Frame& frame) {
  const std::optional<Json> document = events_.read(frame);
  if (!document) return false;
  const std::string type = text(*document, "type");
  if (type == "system" && text(*document, "subtype") == "init") init(*document);
  if (type == "stream_event") events_.stream_event(member(*document, "event"));
  if (type == "assistant" || type == "user") {
    run_.transcript(sdk::stream_json_transcript(*document, frame));
    const Json& content = member(member(*document, "message"), "content");
    type == "user" ? events_.tool_results(content, frame) : events_.assistant(content, frame);
  }
  if (type == "control_request") {
    // Nobody is there to be asked, and a request without an answer waits for ever.
    throw sdk::Failure(sdk::Status::provider_failed, "permission_needed",
                       "codebuddy asked for a permission that its permission mode does not give");
  }
  if (type == "error") {
    emit_receipts(request_, run_);
    throw error_failure(*document);
  }
  if (type != "result") return false;
  result(*document, frame);
  return true;
}

void Turn::init(const Json& document) {
  id_ = text(document, "session_id");
  require_session(session_, id_);
  run_.started(text(document, "model"), version_ ? "codebuddy " + sdk::to_string(*version_) : "codebuddy");
  if (version_ && (*version_ < kOldestTested || *version_ > kNewestTested)) {
    run_.notice("untested_version", "this version of codebuddy is outside of the range that was tested");
  }
}

void Turn::result(const Json& document, const sdk::Frame& frame) {
  events_.result(document, frame);
  emit_receipts(request_, run_);
  if (const std::optional<sdk::Failure> failure = result_failure(document)) throw *failure;
  events_.require_whole_answer();
  require_session(session_, id_);
  if (!session_.kept) return;
  if (id_.empty()) throw sdk::Failure(sdk::Status::provider_failed, "no_session", "codebuddy named no session");
  run_.checkpoint(session_.checkpoint(id_));
}

}  // namespace attache::codebuddy
