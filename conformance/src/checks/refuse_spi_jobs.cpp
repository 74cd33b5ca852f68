// SPDX-License-Identifier: Apache-2.0
// REFUSE at the SPI: the same offences offered to the driver itself, as a host with a fault might.
#include <functional>

#include <fmt/format.h>

#include "checks/choice.hpp"
#include "checks/jobs.hpp"
#include "checks/spi_bench.hpp"

namespace attache::conformance {
namespace {

constexpr std::uint32_t unknown_value = 99;

/// One request with a good input before the offending one.
class Offer {
 public:
  Offer(JobContext& context, const SpiDriver& driver)
      : context_(context), driver_(driver), cell_(sendable_cells(context.descriptor()).front()) {}

  void judge(Finding& finding, const Cell& like, attache_status expected,
             const std::function<void(attache_input&)>& spoil) {
    const Canary first = input(cell_), second = input(like);
    RequestBuilder bad("Say what you see.");
    bad.add(first, static_cast<std::uint32_t>(cell_.mode));
    spoil(bad.add(second, static_cast<std::uint32_t>(like.mode)));
    SpiBench bench(context_, driver_, "ok");
    const SpiSeen refused = bench.run(bad.get());
    finding.evidence("outcome: " + refused.outcome());
    finding.expect(
        refused.record.status == expected,
        fmt::format("run() returned {} and not {}", status_word(refused.record.status), status_word(expected)));
    finding.expect(refused.record.error && refused.record.error->index == 1,
                   "the error does not name the second input");
    finding.expect(refused.counts.none() && refused.starts == 0,
                   fmt::format("before the refusal: {} executions, {} processes, {} connections",
                               refused.counts.executions, refused.counts.processes, refused.counts.connections));
    finding.expect(refused.record.last_delivery() <= ATTACHE_NOT_DELIVERED, "a delivery was reported");
    for (const auto& violation : refused.record.violations) finding.expect(false, violation);
    RequestBuilder good("Say what you see.");
    good.add(first, static_cast<std::uint32_t>(cell_.mode));
    const SpiSeen taken = bench.run(good.get());
    finding.expect(taken.record.status == ATTACHE_OK && taken.starts > 0,
                   "the same request without the offending input fails: " + taken.outcome());
  }
  const Cell& cell() const noexcept { return cell_; }

 private:
  Canary input(const Cell& cell) { return materialized(context_, context_.canary(cell.kind, cell.media_type)); }
  JobContext& context_;
  const SpiDriver& driver_;
  Cell cell_;
};

void kind(JobContext& context, Offer& offer) {
  context.begin("REFUSE-301");
  const auto foreign = undeclared_kind(context.descriptor());
  if (!foreign) return context.not_applicable("REFUSE-301", "every kind is declared");
  Finding finding;
  offer.judge(finding, {*foreign, input::Mode::native, canary_types(*foreign).front()}, ATTACHE_UNSUPPORTED_KIND,
              [](attache_input&) {});
  context.report("REFUSE-301", finding);
}

void type(JobContext& context, Offer& offer) {
  context.begin("REFUSE-302");
  for (const auto& cell : sendable_cells(context.descriptor())) {
    const auto foreign = undeclared_type(context.descriptor(), cell.kind);
    if (!foreign) continue;
    Finding finding;
    offer.judge(finding, {cell.kind, cell.mode, *foreign}, ATTACHE_UNSUPPORTED_MEDIA_TYPE, [](attache_input&) {});
    return context.report("REFUSE-302", finding);
  }
  context.not_applicable("REFUSE-302", "the driver takes every type this kit can make");
}

void mode(JobContext& context, Offer& offer) {
  context.begin("REFUSE-303");
  for (const auto& cell : sendable_cells(context.descriptor())) {
    const auto missing = missing_mode(context.descriptor(), cell.kind, cell.media_type);
    if (!missing) continue;
    Finding finding;
    offer.judge(finding, {cell.kind, *missing, cell.media_type}, ATTACHE_UNSUPPORTED_MODE, [](attache_input&) {});
    return context.report("REFUSE-303", finding);
  }
  context.not_applicable("REFUSE-303", "every type is taken natively and as a reference");
}

void unknown(JobContext& context, Offer& offer) {
  context.begin("REFUSE-304");
  Finding finding;
  offer.judge(finding, offer.cell(), ATTACHE_UNSUPPORTED_KIND,
              [](attache_input& input) { input.kind = unknown_value; });
  offer.judge(finding, offer.cell(), ATTACHE_UNSUPPORTED_MODE,
              [](attache_input& input) { input.mode = unknown_value; });
  context.report("REFUSE-304", finding);
}

void offers(JobContext& context) {
  const char* const ids[] = {"REFUSE-301", "REFUSE-302", "REFUSE-303", "REFUSE-304"};
  context.begin(ids[0]);
  if (sendable_cells(context.descriptor()).empty()) {
    for (const char* id : ids) context.not_run(id, "there is no declared type this kit can make");
    return;
  }
  if (!context.watch().active()) {
    for (const char* id : ids) context.needs_watch(id);
    return;
  }
  const SpiDriver driver(context.spec().plugin);
  Offer offer(context, driver);
  for (auto* check : {kind, type, mode, unknown}) check(context, offer);
}

}  // namespace

void add_refuse_spi_jobs(std::vector<Job>& jobs) {
  jobs.push_back({"refuse-spi", {"REFUSE-301", "REFUSE-302", "REFUSE-303", "REFUSE-304"}, nullptr, offers, true});
}

}  // namespace attache::conformance
