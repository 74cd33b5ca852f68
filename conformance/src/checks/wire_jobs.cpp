// SPDX-License-Identifier: Apache-2.0
// WIRE: what the provider received, decoded and compared.
#include <algorithm>

#include <fmt/format.h>

#include "checks/bench.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"
#include "checks/wire_view.hpp"

namespace attache::conformance {
namespace {

constexpr std::uint64_t large = 8ull << 20;

std::vector<std::string> texts_of(const std::vector<Cell>& cells) {
  std::vector<std::string> texts;
  for (const auto& cell : cells) texts.push_back(cell.text());
  return texts;
}

std::vector<std::string> matrix_cells(const Descriptor& descriptor) {
  return texts_of(declared_cells(descriptor));
}

/// For each kind and mode the cell that takes the largest input.
std::vector<std::string> largest_cells(const Descriptor& descriptor) {
  std::vector<Cell> best;
  for (const auto& cell : sendable_cells(descriptor)) {
    auto same = std::find_if(best.begin(), best.end(),
                             [&](const Cell& other) { return other.kind == cell.kind && other.mode == cell.mode; });
    const auto size = [&](const Cell& of) { return size_allowed(capability(descriptor, of), large); };
    if (same == best.end()) {
      best.push_back(cell);
    } else if (size(cell) > size(*same)) {
      *same = cell;
    }
  }
  return texts_of(best);
}

/// Reports that the cell cannot be tried, where that is so.
bool cannot_send(JobContext& context, const Cell& cell, std::initializer_list<const char*> ids) {
  std::string why;
  if (cell.mode == input::Mode::provider_url) {
    why = "this kit sends no URLs yet";
  } else if (!can_make(cell.kind, cell.media_type)) {
    why = "this kit has no generator for the type";
  } else if (capability(context.descriptor(), cell).needs_inspection && !context.dialect().has_replies()) {
    why = "the driver has to inspect its provider first, which this dialect does not play";
  }
  if (why.empty()) return false;
  for (const char* id : ids) context.not_run(id, why);
  return true;
}

void judge_typed_block(Finding& finding, const RunSeen& seen, const Canary& canary, input::Mode mode) {
  judge_one_turn(finding, seen);
  const auto turns = seen.turns();
  const auto blocks = blocks_in(turns);
  finding.expect(blocks.size() == 1, fmt::format("{} typed blocks for one input", blocks.size()));
  for (const auto& block : blocks) judge_block(finding, block, canary, mode, seen.captures);
}

void typed_block(JobContext& context) {
  const Cell cell = Cell::parse(context.cell());
  if (cannot_send(context, cell, {"WIRE-101", "WIRE-104", "WIRE-105"})) return;
  context.begin("WIRE-101");
  const Canary canary = context.canary(cell.kind, cell.media_type);
  Bench bench(context);
  RunPlan plan;
  plan.inputs = {as_input(canary).require(cell.mode)};
  const RunSeen seen = bench.run(plan);
  Finding block, path, once;
  judge_typed_block(block, seen, canary, cell.mode);
  context.report("WIRE-101", block);

  context.begin("WIRE-104");
  if (cell.mode == input::Mode::native) {
    const std::size_t paths = count_on_wire(context, seen.captures, seen.run_token) -
                              count_on_wire(context, seen.captures, seen.driver_token);
    path.expect(paths == 0, fmt::format("a run-directory path stands in {} places on the wire", paths));
    context.report("WIRE-104", path);
  } else {
    context.not_applicable("WIRE-104", "the mode is made of paths");
  }

  context.begin("WIRE-105");
  const std::size_t count = count_on_wire(context, seen.captures, canary.mark);
  const std::size_t expected = cell.mode == input::Mode::native ? 1 : 0;
  once.evidence(fmt::format("the input's mark was found {} times", count));
  once.expect(count <= expected,
              fmt::format("the input's bytes are on the wire {} times instead of {}", count, expected));
  context.report("WIRE-105", once);
}

/// One input of every declared cell and, while there is room, a second round.
std::vector<Canary> mixed_inputs(JobContext& context, const std::vector<Cell>& cells, std::vector<input::Mode>& modes) {
  std::vector<Canary> canaries;
  for (std::size_t round = 0; round < 2; ++round) {
    for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
      const auto same_kind = std::count_if(canaries.begin(), canaries.end(),
                                           [&](const Canary& canary) { return canary.kind == cell->kind; });
      const std::size_t limit = input_count(context.descriptor(), *cell, 16);
      if (canaries.size() >= std::min<std::size_t>(limit, 16) || static_cast<std::size_t>(same_kind) >= limit) continue;
      canaries.push_back(context.canary(cell->kind, cell->media_type));
      modes.push_back(cell->mode);
    }
  }
  return canaries;
}

bool stands_right(BlockOrder order, const CapturedTurn& turn) {
  std::size_t first_block = turn.items.size(), last_block = 0, first_text = turn.items.size(), last_text = 0;
  for (std::size_t i = 0; i < turn.items.size(); ++i) {
    const bool block = turn.items[i].type == CapturedItem::Type::block;
    std::size_t& first = block ? first_block : first_text;
    first = std::min(first, i);
    (block ? last_block : last_text) = i;
  }
  if (order == BlockOrder::after_text) return last_text < first_block;
  return order == BlockOrder::any || last_block < first_text;
}

void judge_order(Finding& finding, JobContext& context, const RunSeen& seen, const std::vector<Canary>& canaries,
                 const std::vector<input::Mode>& modes) {
  if (!judge_one_turn(finding, seen)) return;
  const auto turns = seen.turns();
  const auto blocks = blocks_in(turns);
  finding.evidence(fmt::format("{} inputs, {} blocks", canaries.size(), blocks.size()));
  for (std::size_t i = 0; i < std::min(blocks.size(), canaries.size()); ++i) {
    if (modes[i] != input::Mode::native) continue;
    finding.expect(blocks[i].item->sha256 == canaries[i].sha256, fmt::format("block {} is not input {}", i, i));
  }
  finding.expect(blocks.size() == canaries.size(), "there are not as many blocks as inputs");
  for (const auto& turn : turns) {
    finding.expect(stands_right(context.dialect().order(), turn), "blocks and text are not in the provider's order");
  }
}

void mixed(JobContext& context) {
  const auto cells = sendable_cells(context.descriptor());
  std::vector<input::Mode> modes;
  const auto canaries = mixed_inputs(context, cells, modes);
  Bench bench(context);
  RunPlan plan;
  plan.prompt =
      "Compare  \"these\" \\ with @README.md,\n\ttab, \xC3\xA9, e\xCC\x81, \xE2\x80\xA8 and \xF0\x9F\x98\x80 ";
  context.begin("WIRE-103");
  const RunSeen bare = bench.run(plan);
  for (std::size_t i = 0; i < canaries.size(); ++i) plan.inputs.push_back(as_input(canaries[i]).require(modes[i]));
  const RunSeen full = bench.run(plan);
  Finding same, order, silent;
  same.expect(bare.good(), "the run without inputs failed: " + bare.outcome());
  same.expect(full.good(), "the run with inputs failed: " + full.outcome());
  const auto without = texts_in(bare.turns()), with = texts_in(full.turns());
  same.evidence(fmt::format("{} text items without inputs, {} with", without.size(), with.size()));
  same.expect(without == std::vector<std::string>{plan.prompt}, "the text of the turn is not the prompt");
  same.expect(without == with, "the text of the turn changes when inputs come with it");
  context.report("WIRE-103", same);

  context.begin("WIRE-102");
  judge_order(order, context, full, canaries, modes);
  context.report("WIRE-102", order);

  context.begin("WIRE-106");
  plan.prompt.clear();
  plan.inputs.erase(plan.inputs.begin() + 1, plan.inputs.end());
  const RunSeen no_text = bench.run(plan);
  judge_one_turn(silent, no_text);
  for (const auto& text : texts_in(no_text.turns())) silent.expect(!text.empty(), "there is an empty text block");
  silent.expect(blocks_in(no_text.turns()).size() == 1 || !no_text.good(), "the input is not there");
  context.report("WIRE-106", silent);
}

void large_input(JobContext& context) {
  const Cell cell = Cell::parse(context.cell());
  context.begin("WIRE-108");
  const std::uint64_t size = size_allowed(capability(context.descriptor(), cell), large);
  // Types whose generator only comes near the wish must stay below the limit.
  const Canary canary = context.canary(cell.kind, cell.media_type, size - std::min<std::uint64_t>(size / 2, 2048));
  Bench bench(context);
  RunPlan plan;
  plan.inputs = {as_input(canary).require(cell.mode)};
  const RunSeen seen = bench.run(plan);
  Finding finding;
  judge_typed_block(finding, seen, canary, cell.mode);
  context.report("WIRE-108", finding);
}

}  // namespace

void add_wire_jobs(std::vector<Job>& jobs) {
  // The longest first: it then overlaps the short ones.
  jobs.push_back({"wire-large", {"WIRE-108"}, largest_cells, large_input, true});
  jobs.push_back({"wire-cell", {"WIRE-101", "WIRE-104", "WIRE-105"}, matrix_cells, typed_block, true});
  jobs.push_back({"wire-mixed", {"WIRE-103", "WIRE-102", "WIRE-106"}, nullptr, mixed, true});
}

}  // namespace attache::conformance
