// SPDX-License-Identifier: Apache-2.0
#include "driver.hpp"

#include <chrono>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/scratch.hpp>

#include "command_line.hpp"
#include "inspection.hpp"

namespace attache::acp {
namespace {

/// Agents of node need seconds for it, twice as long on a busy machine.
constexpr std::chrono::seconds kPatience{60};

/// An agent that advertises embedded context need not hand on bytes: only the configuration can know.
void require_known_blobs(const sdk::Request& request, bool known) {
  for (const sdk::Input input : request.inputs()) {
    const bool blob = input.mode() == sdk::Mode::native &&
                      sdk::acp_block(input.kind(), input.media_type()) == sdk::AcpBlock::blob_resource;
    if (blob && !known) {
      throw sdk::Failure(sdk::Status::unsupported_mode, "blobs_unknown",
                         "the agent is not known to hand on resources of bytes: see embedded_blobs")
          .input(input.index());
    }
  }
}

}  // namespace

void AcpDriver::run(const sdk::Request& request, sdk::Run& run) {
  run.not_delivered();
  require_known_blobs(request, config_.embedded_blobs);
  const sdk::Scratch scratch(run, "acp");
  const std::string directory = request.workspace().empty() ? scratch.path() : std::string(request.workspace());
  sdk::run_acp_turn(request, run, command_line(config_, directory, scratch.path()), directory, config_.options);
}

std::string AcpDriver::capabilities() {
  return capabilities_of(config_);
}

std::string AcpDriver::inspect() {
  const sdk::Scratch scratch("acp");
  return inspection_of(sdk::ask_acp_agent(command_line(config_, scratch.path(), scratch.path()), kPatience), config_);
}

}  // namespace attache::acp

ATTACHE_DRIVER(attache::acp::AcpDriver)
