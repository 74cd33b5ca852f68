// SPDX-License-Identifier: Apache-2.0
// REAL: what a provider's own executable makes of what the driver hands it, seen in the HTTP requests it sends.
#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/sha256.hpp>

#include "canary/plain_png.hpp"
#include "check/processes.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"
#include "checks/real_bench.hpp"
#include "checks/wire_view.hpp"

namespace attache::conformance {
namespace {

constexpr std::uint64_t usual_size = 1u << 20u;
constexpr std::initializer_list<const char*> cell_ids = {"REAL-701", "REAL-702", "REAL-703", "REAL-704"};

std::vector<std::string> native_cells(const Descriptor& descriptor) {
  std::vector<std::string> texts;
  for (const auto& cell : declared_cells(descriptor)) {
    if (cell.mode == input::Mode::native) texts.push_back(cell.text());
  }
  return texts;
}

/// One input on its way, and whether the descriptor says that its bytes are kept.
struct Trial {
  std::string name;
  Canary canary;  ///< without a mark where the provider has to be able to decode the image
  bool promised = false;
};

/// An image with more pixels than the provider keeps, which every decoder takes.
Trial too_wide(JobContext& context, const Cell& cell, std::uint64_t side) {
  const auto width = static_cast<std::uint32_t>(side + 1);
  const std::string bytes = plain_png(width, 8);
  Trial trial{fmt::format("{}x8 pixels", width), {}, false};
  trial.canary = {cell.kind,    cell.media_type,    "wide.png", context.folder("canaries") / "wide.png",
                  bytes.size(), sdk::sha256(bytes), {}};
  std::ofstream out(trial.canary.path, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error("an image cannot be written to the scratch folder");
  return trial;
}

std::vector<Trial> trials_of(JobContext& context, const Cell& cell) {
  const ModeCapability& mode = capability(context.descriptor(), cell);
  const bool kept = mode.exact && mode.exact->keeps(cell.media_type);
  const std::uint64_t bound = mode.exact ? mode.exact->max_bytes.value_or(usual_size) : usual_size;
  const std::uint64_t size = std::max(canary_min_exact_size(), size_allowed(mode, std::min(bound, usual_size)));
  std::vector<Trial> trials;
  trials.push_back({"smallest", context.canary(cell.kind, cell.media_type), kept});
  trials.push_back({fmt::format("{} bytes", size), context.canary(cell.kind, cell.media_type, size), kept});
  if (kept && mode.exact->max_bytes && size_allowed(mode, bound + 1) > bound) {
    trials.push_back(
        {fmt::format("{} bytes", bound + 1), context.canary(cell.kind, cell.media_type, bound + 1), false});
  }
  if (kept && mode.exact->max_side_px && cell.media_type == "image/png" &&
      mode.max_side_px.value_or(*mode.exact->max_side_px) > *mode.exact->max_side_px) {
    trials.push_back(too_wide(context, cell, *mode.exact->max_side_px));
  }
  return trials;
}

const SeenBlock* only_block(const std::vector<SeenBlock>& blocks) {
  return blocks.size() == 1 && blocks.front().item->well_encoded ? &blocks.front() : nullptr;
}

bool same_bytes(const SeenBlock& block, const Canary& canary) {
  return block.item->sha256 == canary.sha256;
}

struct Findings {
  Finding bytes, receipts, clean;
  bool altered = false;  ///< what nothing was promised for
};

std::string told(const RealSeen& seen) {
  if (!seen.run.result || seen.run.result->receipts.size() != 1) return "no receipt";
  return "receipt " + std::string(to_string(seen.run.result->receipts.front().outcome));
}

void judge_bytes(JobContext& context, Findings& findings, const Trial& trial, const RealSeen& seen) {
  Finding& finding = findings.bytes;
  const auto turns = seen.run.turns();
  const auto blocks = blocks_in(turns);
  const SeenBlock* block = only_block(blocks);
  const std::string left = block == nullptr
                               ? fmt::format("{} typed blocks", blocks.size())
                               : fmt::format("{} of {} bytes, sha256 {}…",
                                             block->item->media_type.empty() ? "text" : block->item->media_type,
                                             block->item->size, short_digest(block->item->sha256));
  finding.evidence(fmt::format("{}: {} bytes, sha256 {}… left the provider as {}; {}; run {}", trial.name,
                               trial.canary.size, short_digest(trial.canary.sha256), left, told(seen),
                               seen.run.outcome()));
  if (trial.promised) {
    if (!judge_one_turn(finding, seen.run)) return;
    finding.expect(blocks.size() == 1, fmt::format("{}: {} typed blocks for one input", trial.name, blocks.size()));
    for (const auto& one : blocks) {
      judge_block(finding, one, trial.canary, input::Mode::native, seen.run.captures);
    }
    const std::size_t count = count_on_wire(context, seen.run.captures, trial.canary.mark);
    finding.expect(count == 1, fmt::format("{}: the input's bytes are in the requests {} times", trial.name, count));
  } else if (block == nullptr) {
    finding.expect(!seen.run.good(), fmt::format("{}: the run was good, and its input is in no request", trial.name));
  } else {
    finding.expect(
        block->item->rule->kind == trial.canary.kind,
        fmt::format("{}: the block is one for {} inputs", trial.name, input::to_string(block->item->rule->kind)));
    findings.altered = findings.altered || !same_bytes(*block, trial.canary);
  }
}

void judge_receipts(JobContext& context, Finding& finding, const Trial& trial, const RealSeen& seen) {
  using Outcome = Receipt::Outcome;
  const auto turns = seen.run.turns();
  const auto blocks = blocks_in(turns);
  const SeenBlock* block = only_block(blocks);
  finding.evidence(fmt::format("{}: {}", trial.name, told(seen)));
  if (!seen.run.result || seen.run.result->receipts.size() != 1) {
    finding.expect(!seen.run.good(), fmt::format("{}: a good run has no receipt", trial.name));
    return;
  }
  const Receipt& receipt = seen.run.result->receipts.front();
  const bool same = block != nullptr && same_bytes(*block, trial.canary);
  const auto expect = [&](bool holds, std::string_view what) {
    finding.expect(holds, fmt::format("{}: the receipt says {}, and {}", trial.name, to_string(receipt.outcome), what));
  };
  if (receipt.outcome == Outcome::exact) expect(same, "the request carries other bytes or none");
  if (receipt.outcome == Outcome::altered) {
    expect(block != nullptr && !same, "the request carries the input's own bytes or none");
    const bool agrees = block == nullptr || !receipt.sha256 || *receipt.sha256 == block->item->sha256;
    expect(agrees, "its digest is not that of the request");
  }
  if (receipt.outcome == Outcome::dropped) expect(blocks.empty(), "the request carries a block for it");
  if (receipt.outcome == Outcome::unknown && context.descriptor().features.receipts && block != nullptr) {
    expect(same, "the provider changed the input");
  }
}

bool lives_in(const std::string& path, const std::filesystem::path& folder) {
  return path.rfind(folder.string() + "/", 0) == 0;
}

void judge_connections(JobContext& context, Finding& finding, const std::vector<std::uint16_t>& ports) {
  using Family = WatchDestination::Family;
  const auto destinations = context.watch().destinations();
  for (const auto& to : destinations) {
    if (to.family == Family::internet) {
      const bool recorder = to.address == "127.0.0.1" && std::find(ports.begin(), ports.end(), to.port) != ports.end();
      finding.expect(recorder, fmt::format("something connected to {} port {}", to.address, to.port));
    } else if (to.family == Family::local) {
      finding.expect(lives_in(to.address, context.spec().scratch),
                     "something connected to a local socket outside its own folders: " + to.address);
    } else {
      finding.expect(to.family == Family::kernel, "something connected to an address that is no network's");
    }
  }
  finding.expect(!context.watch().destinations_lost(), "there were more destinations than the kit could keep");
  finding.evidence(fmt::format("{} destinations, {} of them recorders", destinations.size(), ports.size()));
}

std::string digest_of(const std::string& value) {
  return "sha256:" + sdk::to_hex(sdk::sha256(value));
}

void judge_credentials(Finding& finding, const Trial& trial, const RealSeen& seen) {
  for (const auto& capture : seen.run.captures) {
    if (capture.turns.empty()) continue;
    std::size_t own = 0, others = 0;
    for (const auto& header : capture.headers) {
      if (header.value.rfind("sha256:", 0) != 0) continue;
      const bool configured = header.value == digest_of(seen.key) || header.value == digest_of("Bearer " + seen.key);
      ++(configured ? own : others);
    }
    finding.expect(own == 1, fmt::format("{}: the configured key is in the request {} times", trial.name, own));
    finding.expect(others == 0, fmt::format("{}: {} other credentials are in the request", trial.name, others));
  }
}

void judge_leftovers(JobContext& context, Finding& finding, const Trial& trial, const RealSeen& seen) {
  for (const auto& folder : seen.folders) {
    for (const auto& file : files_below(folder)) {
      const bool given = file.parent_path() == seen.folders.front() &&
                         std::any_of(context.dialect().real()->files.begin(), context.dialect().real()->files.end(),
                                     [&](const auto& one) { return one.first == file.filename().string(); });
      if (given) continue;
      finding.expect(find_mark(file, seen.key).empty(), fmt::format("{}: the key stands in a file", trial.name));
      if (context.descriptor().retains_inputs || trial.canary.mark.empty()) continue;
      finding.expect(find_mark(file, trial.canary.mark).empty(),
                     fmt::format("{}: bytes of the input are left in a file", trial.name));
    }
  }
  const auto left = files_below(context.spec().scratch / "tmp");
  finding.expect(left.empty(), fmt::format("{}: {} files are left in the temporary folder", trial.name, left.size()));
  finding.expect(eventually([&] { return context.watch().descendants().empty(); }),
                 fmt::format("{}: a process is left", trial.name));
}

void real_cell(JobContext& context) {
  const Cell cell = Cell::parse(context.cell());
  RealBench bench(context);
  const std::string why =
      can_make(cell.kind, cell.media_type) ? bench.unusable() : "this kit has no generator for the type";
  if (!why.empty()) {
    for (const char* id : cell_ids) context.not_run(id, why);
    return;
  }
  context.begin("REAL-701");
  Findings findings;
  for (const Trial& trial : trials_of(context, cell)) {
    RunPlan plan;
    plan.inputs = {as_input(trial.canary).require(cell.mode)};
    const RealSeen seen = bench.run(plan);
    judge_bytes(context, findings, trial, seen);
    judge_receipts(context, findings.receipts, trial, seen);
    judge_credentials(findings.clean, trial, seen);
    judge_leftovers(context, findings.clean, trial, seen);
  }
  const bool promised = capability(context.descriptor(), cell).exact &&
                        capability(context.descriptor(), cell).exact->keeps(cell.media_type);
  if (findings.bytes.failed() || promised || !findings.altered) {
    context.report("REAL-701", findings.bytes);
  } else {
    context.not_applicable("REAL-701", "the provider changes the bytes, and the descriptor does not say it keeps them",
                           findings.bytes);
  }
  context.report("REAL-702", findings.receipts);
  if (context.needs_watch("REAL-703")) {
    Finding connections;
    judge_connections(context, connections, bench.ports());
    context.report("REAL-703", connections);
  }
  context.report("REAL-704", findings.clean);
}

void real_version(JobContext& context) {
  context.begin("REAL-705");
  sdk::SpawnOptions start;
  start.executable = context.spec().provider.string();
  start.arguments = context.dialect().real()->version;
  start.environment = {"PATH=/usr/bin:/bin", "HOME=" + (context.spec().scratch / "home").string(),
                       "TMPDIR=" + (context.spec().scratch / "tmp").string()};
  Finding finding;
  std::string output;
  try {
    auto child = sdk::ChildProcess::spawn(start);
    child.close_input();
    sdk::ChildProcess::Handlers handlers;
    handlers.on_stdout = [&](std::string_view bytes) { return output.append(bytes).size() < 4096; };
    child.pump(handlers, {});
    child.end(std::chrono::milliseconds(1000));
  } catch (const sdk::SpawnError& error) {
    finding.expect(false, "the provider could not be started: " + error.reason());
  }
  const std::string& measured = context.dialect().provider_version();
  finding.evidence("it says: " + output.substr(0, output.find('\n')).substr(0, 100));
  finding.expect(output.find(measured) != std::string::npos, "it is not version " + measured);
  context.report("REAL-705", finding);
}

}  // namespace

void add_real_jobs(std::vector<Job>& jobs) {
  Job version{"real-version", {"REAL-705"}, nullptr, real_version, true};
  Job cells{"real-cell", {cell_ids.begin(), cell_ids.end()}, native_cells, real_cell, true};
  version.real = cells.real = true;
  jobs.push_back(std::move(version));
  jobs.push_back(std::move(cells));
}

}  // namespace attache::conformance
