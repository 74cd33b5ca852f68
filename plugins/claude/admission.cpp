// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include <array>
#include <optional>

#include <attache/sdk/base64.hpp>

#include "limits.hpp"

namespace attache::claude {
namespace {

using sdk::Failure;
using sdk::Status;

struct Row {
  sdk::Kind kind;
  std::string_view media_type;
  Block block;
};
constexpr std::array kRows{
    Row{sdk::Kind::image, "image/png", Block::image},         Row{sdk::Kind::image, "image/jpeg", Block::image},
    Row{sdk::Kind::image, "image/gif", Block::image},         Row{sdk::Kind::image, "image/webp", Block::image},
    Row{sdk::Kind::file, "application/pdf", Block::document}, Row{sdk::Kind::file, "text/plain", Block::text_document},
};

std::optional<Block> find(const sdk::Input& input) {
  for (const Row& row : kRows) {
    if (row.kind == input.kind() && row.media_type == input.media_type()) return row.block;
  }
  return std::nullopt;
}

void admit(const sdk::Input& input) {
  if (input.kind() == sdk::Kind::image && sdk::base64_length(input.size()) > kMaxImageEncodedBytes) {
    throw Failure(Status::too_large, "encoded_size_limit", "the image is over the limit of the Messages API")
        .input(input.index())
        .limit(kMaxImageEncodedBytes);
  }
}

}  // namespace

Block block_of(const sdk::Input& input) {
  const std::optional<Block> block = find(input);
  if (!block) throw Failure(Status::contract, "not_admitted", "an input was not checked").input(input.index());
  return *block;
}

void admit(const sdk::Request& request) {
  if (!request.checkpoint().empty()) {
    throw Failure(Status::resume_rejected, "resume_unsupported", "this driver does not resume sessions");
  }
  if (request.fork()) throw Failure(Status::invalid, "fork_unsupported", "this driver does not fork sessions");
  if (!request.history().empty()) {
    throw Failure(Status::invalid, "history_unsupported", "this driver takes no history");
  }
  if (!request.output_schema().empty()) {
    throw Failure(Status::invalid, "output_schema_unsupported", "this driver takes no output schema");
  }
  if (!request.options().empty() && request.options() != "{}") {
    throw Failure(Status::invalid, "options_unsupported", "this driver has no per-run options");
  }
  if (request.prompt().empty() && request.inputs().empty()) {
    throw Failure(Status::invalid, "nothing_to_send", "the turn has neither prompt nor inputs");
  }
  std::uint64_t images = 0;
  for (const sdk::Input input : request.inputs()) {
    admit(input);
    if (input.kind() == sdk::Kind::image && ++images > kMaxImages) {
      throw Failure(Status::too_large, "count_limit", "there are more images than the Messages API takes")
          .input(input.index())
          .limit(kMaxImages);
    }
  }
}

}  // namespace attache::claude
