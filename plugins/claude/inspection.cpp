// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <algorithm>
#include <chrono>

#include <nlohmann/json.hpp>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/failure.hpp>
#include <attache/sdk/scratch.hpp>
#include <attache/sdk/version.hpp>

#include "command_line.hpp"

namespace attache::claude {
namespace {

using sdk::Failure;
using sdk::Status;

/// The oldest version whose wire was measured to carry image and document blocks.
constexpr sdk::Version kOldestKnown{2, 0, 61};
constexpr std::size_t kMaxPrinted = 4096;
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
  std::string printed;
  sdk::PumpEnd ended{};
  try {
    sdk::ChildProcess process = sdk::ChildProcess::spawn(version_command(config, scratch.path()));
    process.close_input();
    sdk::ChildProcess::Handlers on;
    on.on_stdout = [&](std::string_view chunk) {
      printed += chunk.substr(0, kMaxPrinted - std::min(kMaxPrinted, printed.size()));
      return true;
    };
    sdk::ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + kPatience;
    ended = process.pump(on, limits);
    process.end(std::chrono::milliseconds(250));
  } catch (const sdk::SpawnError& error) {
    throw Failure(Status::launch_failed, error.reason(), "the claude CLI could not be started");
  }
  if (ended == sdk::PumpEnd::deadline) {
    throw Failure(Status::timeout, "deadline", "the claude CLI told no version in time");
  }
  return inspection_of(printed);
}

}  // namespace attache::claude
