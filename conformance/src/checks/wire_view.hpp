// SPDX-License-Identifier: Apache-2.0
// Questions to what was captured.
#pragma once

#include <string>
#include <vector>

#include "check/context.hpp"
#include "checks/bench.hpp"
#include "wire/capture.hpp"

namespace attache::conformance {

/// A block that carries one of the driver's inputs, as the wire has it.
struct SeenBlock {
  const CapturedItem* item = nullptr;
  std::size_t position = 0;  ///< among the items of its turn
};

/// Blocks of all turns, in wire order. Points into `turns`.
std::vector<SeenBlock> blocks_in(const std::vector<CapturedTurn>& turns);
std::vector<std::string> texts_in(const std::vector<CapturedTurn>& turns);

/// How often a mark or token stands anywhere in what the driver sent, argv included.
std::size_t count_on_wire(JobContext& context, const std::vector<Capture>& captures, const std::string& mark);

/// Judges that a block carries exactly this input. Evidence goes to the finding.
void judge_block(Finding& finding, const SeenBlock& block, const Canary& canary, input::Mode mode,
                 const std::vector<Capture>& captures);

/// The run was good, reached the provider once, in one turn and without faults of the framing.
bool judge_one_turn(Finding& finding, const RunSeen& seen);
bool judge_one_turn(Finding& finding, const std::vector<Capture>& captures);

std::string short_digest(const input::Digest& digest);

}  // namespace attache::conformance
