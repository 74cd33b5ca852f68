// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "limits.hpp"

namespace attache::codex {
namespace {

using sdk::Failure;
using sdk::Kind;
using sdk::Mode;
using sdk::Status;

constexpr std::array<std::string_view, 4> kImages{"image/png", "image/jpeg", "image/webp", "image/gif"};
constexpr std::array<std::string_view, 5> kAudio{"audio/wav", "audio/mpeg", "audio/mp4", "audio/webm", "audio/ogg"};

template <class Types>
bool holds(const Types& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

void admit(const sdk::Input& input) {
  const bool file = input.kind() == Kind::file;
  if (!file && input.kind() != Kind::image && input.kind() != Kind::audio) {
    throw Failure(Status::unsupported_kind, "kind_unsupported", "codex takes images, audio and references to files")
        .input(input.index());
  }
  if (input.mode() != (file ? Mode::workspace_reference : Mode::native)) {
    throw Failure(Status::unsupported_mode, "mode_unsupported",
                  "codex takes images and audio in native mode and files as references")
        .input(input.index());
  }
  const bool known =
      file || (input.kind() == Kind::image ? holds(kImages, input.media_type()) : holds(kAudio, input.media_type()));
  if (!known) {
    throw Failure(Status::unsupported_media_type, "media_type_unsupported",
                  "codex takes PNG, JPEG, WebP and GIF images and WAV, MP3, MP4, WebM and Ogg audio")
        .input(input.index());
  }
  if (input.kind() == Kind::audio && input.size() > kMaxAudioBytes) {
    throw Failure(Status::too_large, "size_limit", "the audio is over the limit of codex")
        .input(input.index())
        .limit(kMaxAudioBytes);
  }
  if (input.exact() && input.media_type() == "image/gif") {
    throw Failure(Status::invalid, "exact_impossible", "codex re-encodes every GIF").input(input.index());
  }
  if (input.exact() && file) {
    throw Failure(Status::invalid, "exact_impossible", "codex does not show what it read of a file")
        .input(input.index());
  }
}

}  // namespace

void admit(const sdk::Request& request) {
  if (request.fork() && request.checkpoint().empty()) {
    throw Failure(Status::invalid, "fork_of_nothing", "there is no checkpoint to fork");
  }
  if (!request.history().empty()) {
    throw Failure(Status::invalid, "history_unsupported", "this driver takes no history");
  }
  if (!request.options().empty() && request.options() != "{}") {
    throw Failure(Status::invalid, "options_unsupported", "this driver has no per-run options");
  }
  if (request.forbid_retention() && !(request.thread().empty() && request.checkpoint().empty())) {
    throw Failure(Status::invalid, "retention_needed", "codex keeps the inputs of a thread");
  }
  if (request.prompt().empty() && request.inputs().empty()) {
    throw Failure(Status::invalid, "nothing_to_send", "the turn has neither prompt nor inputs");
  }
  for (const sdk::Input input : request.inputs()) admit(input);
}

}  // namespace attache::codex
