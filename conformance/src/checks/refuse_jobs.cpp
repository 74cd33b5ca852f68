// SPDX-License-Identifier: Apache-2.0
// REFUSE through core: refused before anything was started, for the right reason, and taken once the reason is gone.
#include <algorithm>

#include <fmt/format.h>

#include "checks/bench.hpp"
#include "checks/choice.hpp"
#include "checks/jobs.hpp"

namespace attache::conformance {
namespace {

/// A call that must be refused, and the same call without the offence.
struct Offence {
  const char* id;
  errc code;
  std::string reason;                ///< empty: any
  std::optional<std::size_t> index;  ///< unset: it is about the set
  RunPlan bad, good;
  std::optional<std::uint64_t> limit;
  std::string owner;
};

void judge(JobContext& context, Bench& bench, const Offence& offence, Finding& finding) {
  const RunSeen refused = bench.run(offence.bad);
  finding.evidence("outcome: " + refused.outcome());
  finding.expect(!refused.good(), "the call was not refused");
  finding.expect(!refused.entered, "the driver was entered before the refusal");
  finding.expect(refused.counts.none(),
                 fmt::format("before the refusal: {} executions, {} processes, {} connections",
                             refused.counts.executions, refused.counts.processes, refused.counts.connections));
  finding.expect(refused.starts == 0, "the provider was started");
  finding.expect(refused.code == offence.code, fmt::format("the error is not {}", word(offence.code)));
  finding.expect(offence.reason.empty() || refused.reason == offence.reason,
                 fmt::format("the reason is {} and not {}", refused.reason, offence.reason));
  const auto& fields = refused.input;
  if (finding.expect(fields.has_value(), "the error does not say which input")) {
    finding.expect(!offence.index || fields->index == offence.index, "the error names another input");
    finding.expect(!offence.limit || fields->limit == offence.limit, "the error names another limit");
    finding.expect(offence.owner.empty() || fields->limit_owner == offence.owner, "the error names another owner");
  }
  finding.expect(!text_holds(context, refused.text, refused.run_token), "the error's text holds a path");
  const RunSeen taken = bench.run(offence.good);
  finding.expect(taken.good() && taken.starts > 0, "the same call without the offence fails: " + taken.outcome());
}

void carry_out(JobContext& context, const Offence& offence) {
  if (!context.needs_watch(offence.id)) return;
  Bench bench(context);
  Finding finding;
  judge(context, bench, offence, finding);
  context.report(offence.id, finding);
}

/// A small input the driver takes, to stand before the offending one.
Cell first_cell(JobContext& context) {
  return sendable_cells(context.descriptor()).front();
}
input::Input small_input(JobContext& context) {
  const Cell cell = first_cell(context);
  return as_input(context.canary(cell.kind, cell.media_type));
}

bool nothing_to_send(JobContext& context, const char* id) {
  if (!sendable_cells(context.descriptor()).empty()) return false;
  context.not_run(id, "there is no declared type this kit can make");
  return true;
}

void kind(JobContext& context) {
  context.begin("REFUSE-201");
  const auto kind = undeclared_kind(context.descriptor());
  if (!kind) return context.not_applicable("REFUSE-201", "every kind is declared");
  if (nothing_to_send(context, "REFUSE-201")) return;
  const Canary foreign = context.canary(*kind, canary_types(*kind).front());
  Offence offence{"REFUSE-201", errc::input_kind_unsupported, "kind_unsupported", 1, {}, {}, {}, {}};
  offence.good.inputs = {small_input(context)};
  offence.bad.inputs = {offence.good.inputs[0], as_input(foreign)};
  carry_out(context, offence);
}

void type(JobContext& context) {
  context.begin("REFUSE-202");
  if (nothing_to_send(context, "REFUSE-202")) return;
  for (const auto& cell : sendable_cells(context.descriptor())) {
    const auto foreign = undeclared_type(context.descriptor(), cell.kind);
    if (!foreign) continue;
    Offence offence{"REFUSE-202", errc::input_media_type_unsupported, "media_type_unsupported", 1, {}, {}, {}, {}};
    const input::Input small = small_input(context);
    offence.good.inputs = {small, as_input(context.canary(cell.kind, cell.media_type))};
    offence.bad.inputs = {small, as_input(context.canary(cell.kind, *foreign))};
    return carry_out(context, offence);
  }
  context.not_applicable("REFUSE-202", "the driver takes every type this kit can make");
}

void mode(JobContext& context) {
  context.begin("REFUSE-203");
  if (nothing_to_send(context, "REFUSE-203")) return;
  for (const auto& cell : sendable_cells(context.descriptor())) {
    const auto missing = missing_mode(context.descriptor(), cell.kind, cell.media_type);
    if (!missing) continue;
    Offence offence{"REFUSE-203", errc::input_mode_unsupported, "mode_unsupported", 1, {}, {}, {}, {}};
    const input::Input small = small_input(context);
    const input::Input plain = as_input(context.canary(cell.kind, cell.media_type));
    offence.good.inputs = {small, plain};
    offence.bad.inputs = {small, plain.require(*missing)};
    return carry_out(context, offence);
  }
  context.not_applicable("REFUSE-203", "every type is taken natively and as a reference");
}

/// A declared limit on bytes that the kit can go beyond.
struct Bound {
  Cell cell;
  std::uint64_t limit = 0;   ///< as declared
  std::uint64_t beyond = 0;  ///< bytes of an input that is over it
  const char* reason = "";
};

std::optional<Bound> declared_bound(const Descriptor& descriptor) {
  constexpr std::uint64_t most = 48ull << 20;
  std::optional<Bound> best;
  for (const auto& cell : sendable_cells(descriptor)) {
    const ModeCapability& mode = capability(descriptor, cell);
    Bound bound{cell, 0, most, ""};
    if (mode.max_bytes) bound = {cell, *mode.max_bytes, *mode.max_bytes + 2048, "input_bytes_limit"};
    if (mode.max_encoded_bytes && mode.encoding == "base64") {
      const std::uint64_t beyond = *mode.max_encoded_bytes / 4 * 3 + 2048;
      if (beyond < bound.beyond) bound = {cell, *mode.max_encoded_bytes, beyond, "encoded_bytes_limit"};
    }
    const bool usable = bound.limit != 0 && bound.beyond < most && bound.beyond > canary_min_exact_size();
    if (usable && (!best || bound.beyond < best->beyond)) best = bound;
  }
  return best;
}

void too_large(JobContext& context) {
  context.begin("REFUSE-204");
  if (nothing_to_send(context, "REFUSE-204")) return;
  Offence offence{"REFUSE-204", errc::input_too_large, "input_bytes_limit", 1, {}, {}, 65536, "host"};
  Cell cell = first_cell(context);
  std::uint64_t beyond = *offence.limit + 2048;
  if (context.cell() == "driver") {
    const auto bound = declared_bound(context.descriptor());
    if (!bound) return context.not_applicable("REFUSE-204", "no byte limit is declared that this kit can pass");
    cell = bound->cell;
    beyond = bound->beyond;
    offence.limit = bound->limit;
    offence.reason = bound->reason;
    offence.owner = "driver";
    offence.bad.limits.max_input_bytes = offence.bad.limits.max_total_bytes = 256ull << 20;
  } else {
    offence.bad.limits.max_input_bytes = *offence.limit;
  }
  // 2 KiB are more than the least exact generators may come short of.
  const Canary over = context.canary(cell.kind, cell.media_type, beyond);
  const input::Input small = small_input(context);
  offence.good.limits = offence.bad.limits;
  offence.bad.inputs = {small, as_input(over)};
  offence.good.inputs = {small, as_input(context.canary(cell.kind, cell.media_type))};
  carry_out(context, offence);
}

void count(JobContext& context) {
  context.begin("REFUSE-205");
  if (nothing_to_send(context, "REFUSE-205")) return;
  Offence offence{"REFUSE-205", errc::input_too_large, "count_limit", std::nullopt, {}, {}, 2, "host"};
  if (context.cell() == "driver") {
    const auto declared = context.descriptor().inputs.limits.max_count;
    if (!declared || *declared > 200) {
      return context.not_applicable("REFUSE-205", "no limit on the count is declared that this kit can pass");
    }
    offence.limit = *declared;
    offence.owner = "driver";
    offence.bad.limits.max_count = *declared + 10;
  } else {
    offence.bad.limits.max_count = 2;
  }
  offence.good.limits = offence.bad.limits;
  const input::Input small = small_input(context);
  offence.bad.inputs.assign(static_cast<std::size_t>(*offence.limit) + 1, small);
  offence.good.inputs.assign(static_cast<std::size_t>(std::min<std::uint64_t>(*offence.limit, 2)), small);
  carry_out(context, offence);
}

void expectation(JobContext& context, Offence offence, bool digest) {
  context.begin(offence.id);
  if (nothing_to_send(context, offence.id)) return;
  const Cell cell = first_cell(context);
  const Canary canary = context.canary(cell.kind, cell.media_type);
  const input::Input small = small_input(context);
  input::Digest wrong = canary.sha256;
  wrong[31] ^= 1u;
  offence.good.inputs = {small, as_input(canary)};
  offence.bad.inputs = {small, digest ? as_input(canary).sha256(wrong) : as_input(canary).size(canary.size + 1)};
  carry_out(context, offence);
}

void expectations(JobContext& context) {
  expectation(context, {"REFUSE-206", errc::input_digest_mismatch, "digest_mismatch", 1, {}, {}, {}, {}}, true);
  expectation(context, {"REFUSE-207", errc::input_invalid, "size_mismatch", 1, {}, {}, {}, {}}, false);
}

void offers(JobContext& context) {
  kind(context);
  type(context);
  mode(context);
  expectations(context);
}

std::vector<std::string> owners(const Descriptor&) {
  return {"driver", "host"};
}

}  // namespace

void add_refuse_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"refuse-large", {"REFUSE-204"}, owners, too_large, true});
  jobs.push_back({"refuse-count", {"REFUSE-205"}, owners, count, true});
  jobs.push_back(
      {"refuse-offers", {"REFUSE-201", "REFUSE-202", "REFUSE-203", "REFUSE-206", "REFUSE-207"}, nullptr, offers, true});
}

}  // namespace attache::conformance
