// SPDX-License-Identifier: Apache-2.0
#include "kit_driver.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace attache::controls {
namespace {

using nlohmann::ordered_json;
using sdk::Failure;
using sdk::Status;

constexpr std::string_view image_types[] = {"image/png", "image/jpeg", "image/gif", "image/webp"};
constexpr std::string_view file_types[] = {"application/pdf", "text/plain"};

bool takes(sdk::Kind kind, std::string_view media_type) {
  if (kind == sdk::Kind::image) return std::ranges::find(image_types, media_type) != std::end(image_types);
  return std::ranges::find(file_types, media_type) != std::end(file_types);
}

void refuse(const sdk::Input& input) {
  const auto fail = [&](Status status, const char* reason) {
    throw Failure(status, reason, "the driver does not take this input").input(input.index());
  };
  if (input.kind() != sdk::Kind::image && input.kind() != sdk::Kind::file) {
    fail(Status::unsupported_kind, "kind_unsupported");
  }
  if (!takes(input.kind(), input.media_type())) fail(Status::unsupported_media_type, "media_type_unsupported");
  if (input.mode() != sdk::Mode::native) fail(Status::unsupported_mode, "mode_unsupported");
}

/// What the provider says, as far as a turn needs it.
class Answer {
 public:
  explicit Answer(sdk::Run& run) : run_(run) {}

  bool take(const sdk::Frame& frame) {
    const auto document = ordered_json::parse(frame.json, nullptr, false);
    if (!document.is_object() || document.value("type", "") != "result") return false;
    failed_ = document.value("is_error", true);
    if (!failed_) run_.completed(document.value("result", ""));
    return true;
  }
  void settle() const {
    if (failed_) throw Failure(Status::provider_failed, "error_result", "the provider ended the turn with an error");
  }

 private:
  sdk::Run& run_;
  bool failed_ = true;
};

}  // namespace

KitDriver::KitDriver(std::string_view config_json)
    : executable_(ordered_json::parse(config_json).value("executable", "claude")) {}

void KitDriver::admit(const sdk::Request& request) const {
  for (const sdk::Input input : request.inputs()) refuse(input);
}

ordered_json KitDriver::block(const sdk::Input& input, sdk::JsonFrame& frame) {
  const bool text = input.media_type() == "text/plain";
  const std::string slot = frame.add(sdk::slot_of(input, text ? sdk::Encoding::text : sdk::Encoding::base64));
  return {{"type", input.kind() == sdk::Kind::image ? "image" : "document"},
          {"source",
           {{"type", text ? "text" : "base64"}, {"media_type", std::string(input.media_type())}, {"data", slot}}}};
}

ordered_json KitDriver::content(const sdk::Request& request, sdk::JsonFrame& frame) const {
  ordered_json out = ordered_json::array();
  if (!request.prompt().empty()) out.push_back({{"type", "text"}, {"text", std::string(request.prompt())}});
  for (const sdk::Input input : request.inputs()) out.push_back(block(input, frame));
  return out;
}

sdk::SpawnOptions KitDriver::command() const {
  sdk::SpawnOptions spawn;
  spawn.executable = executable_;
  spawn.arguments = {"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"};
  spawn.environment = {"PATH=/usr/bin:/bin"};
  return spawn;
}

void KitDriver::run(const sdk::Request& request, sdk::Run& run) {
  admit(request);
  sdk::JsonFrame frame;
  const ordered_json document{{"type", "user"}, {"message", {{"role", "user"}, {"content", content(request, frame)}}}};
  frame.set_document(document.dump());
  Answer answer(run);
  sdk::TurnHandlers handlers;
  handlers.on_frame = [&](sdk::Frame& one) { return answer.take(one); };
  sdk::run_process_turn(request, run, command(), frame, handlers);
  answer.settle();
}

}  // namespace attache::controls
