// SPDX-License-Identifier: Apache-2.0
#include "turn.hpp"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attache::claude {

bool Turn::take(const sdk::Frame& frame) {
  const std::optional<Json> document = events_.read(frame);
  if (!document) return false;
  const std::string type = text(*document, "type");
  if (type == "system") system(*document);
  if (type == "stream_event") events_.stream_event(member(*document, "event"));
  if (type == "assistant") assistant(*document, frame);
  if (type == "user") user(*document, frame);
  if (type == "result") result(*document, frame);
  return type == "result";
}

void Turn::system(const Json& frame) {
  const std::string subtype = text(frame, "subtype");
  if (subtype == "init") {
    const std::string version = text(frame, "claude_code_version");
    run_.started(text(frame, "model"), version.empty() ? "claude" : "claude " + version);
  } else if (subtype == "api_retry") {
    run_.notice("api_retry",
                fmt::format("the provider's request failed with status {}; attempt {} of {} follows",
                            number(frame, "error_status"), number(frame, "attempt"), number(frame, "max_retries")));
  }
}

void Turn::assistant(const Json& document, const sdk::Frame& frame) {
  run_.transcript(sdk::stream_json_transcript(document, frame));
  const std::string api_error = text(document, "api_error");
  if (api_error == "media_removed") {
    const std::string media = text(member(document, "api_error_params"), "media");
    receipts_.media_removed(media);
    run_.notice("media_removed", media == "document" ? "the provider refused a document and claude went on without it"
                                                     : "the provider refused an image and claude went on without it");
    return;
  }
  if (!api_error.empty() || flag(document, "is_api_error_message")) {
    verdict_.api_error(document);
    return;
  }
  events_.assistant(member(member(document, "message"), "content"), frame);
}

void Turn::user(const Json& document, const sdk::Frame& frame) {
  run_.transcript(sdk::stream_json_transcript(document, frame));
  const Json& content = member(member(document, "message"), "content");
  if (flag(document, "isReplay")) {
    receipts_.replayed(content, frame);
    return;
  }
  events_.tool_results(content, frame);
}

void Turn::result(const Json& document, const sdk::Frame& frame) {
  verdict_.result(document);
  events_.result(document, frame);
  receipts_.emit(run_);
  verdict_.settle();
  events_.require_whole_answer();
}

}  // namespace attache::claude
