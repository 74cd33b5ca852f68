// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <chrono>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/program_output.hpp>
#include <attache/sdk/scratch.hpp>
#include <attache/sdk/version.hpp>

#include "command_line.hpp"

namespace attache::claude {
namespace {

using sdk::Failure;
using sdk::Status;

/// The oldest version whose wire was measured to carry image and document blocks.
constexpr sdk::Version kOldestKnown{2, 0, 61};
constexpr std::chrono::seconds kPatience{15};

}  // namespace

std::string inspection_of(std::string_view printed) {
  const auto version = sdk::read_version(printed);
  if (!version) throw Failure(Status::provider_failed, "version_unreadable", "the claude CLI told no version");
  nlohmann::ordered_json out{{"version", sdk::to_string(*version)}};
  if (*version < kOldestKnown) {
    const nlohmann::ordered_json none{{"modes", nlohmann::ordered_json::array()}};
    out["inputs"] = {{"image", none}, {"file", none}, {"audio", none}, {"video", none}};
  }
  return out.dump();
}

std::string inspect(const Config& config) {
  const sdk::Scratch scratch("claude");
  return inspection_of(sdk::program_output(version_command(config, scratch.path()), kPatience));
}

}  // namespace attache::claude
