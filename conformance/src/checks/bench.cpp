// SPDX-License-Identifier: Apache-2.0
#include "checks/bench.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include "check/processes.hpp"

namespace attache::conformance {
namespace {

HostOptions host_options() {
  HostOptions options;
  options.installed_directory = false;
  options.allow_other_owners = true;  // whom to trust was decided by whoever started the kit
  options.allow_writable_by_others = true;
  options.probe = false;  // this process is the probe
  return options;
}

bool has_come_to(const TapHome& tap, RunPlan::Cancel moment) {
  if (moment == RunPlan::Cancel::when_started) return tap.starts() > 0;
  const auto captures = tap.captures();
  return std::any_of(captures.begin(), captures.end(), [](const Capture& capture) { return !capture.turns.empty(); });
}

void keep_events(RunSeen& seen, Stream& stream) {
  while (auto event = stream.next()) seen.events.push_back(std::move(*event));
}

void settle(RunSeen& seen, Stream& stream) {
  try {
    seen.result = stream.result();
  } catch (const RunError& error) {
    seen.code = error.code();
    seen.reason = error.reason();
    seen.text = error.what();
    seen.entered = true;
    seen.input = error.input();
    seen.result = error.result();
  } catch (const InputError& error) {
    seen.code = error.code();
    seen.reason = error.reason();
    seen.text = error.what();
    seen.input = InputErrorFields{error.index(), error.kind(),        error.media_type(), error.driver(),
                                  error.limit(), error.limit_owner(), error.alternative()};
  } catch (const Error& error) {
    seen.code = error.code();
    seen.reason = error.reason();
    seen.text = error.what();
  }
}

}  // namespace

std::string RunSeen::outcome() const {
  return good() ? "good"
                : fmt::format("{} ({}){}", to_string(*code), reason, entered ? " after the driver was entered" : "");
}

std::vector<CapturedTurn> RunSeen::turns() const {
  std::vector<CapturedTurn> all;
  for (const auto& capture : captures) all.insert(all.end(), capture.turns.begin(), capture.turns.end());
  return all;
}

Driver load_driver(const JobContext& context) {
  return Host(host_options()).driver_from_file(context.spec().plugin);
}

Bench::Bench(JobContext& context) : context_(context), driver_(load_driver(context)) {}

RunSeen run_agent(JobContext& context, const Driver& driver, AgentOptions options, const RunPlan& plan,
                  const std::function<bool()>& cancel_now) {
  RunSeen seen;
  seen.run_base = context.folder("runs");
  seen.run_token = seen.run_base.filename().string();
  seen.driver_token = seen.run_token + "/driver-";
  options.limits = plan.limits;
  options.run_base = seen.run_base;
  options.cancel_grace = std::chrono::milliseconds(3000);
  const WatchCounts before = context.watch().counts();
  context.stage("run");
  {
    Agent agent(driver, options);
    Stream stream = agent.stream(plan.prompt, with_inputs(plan.inputs));
    if (cancel_now) {
      eventually(cancel_now);
      stream.cancel();
    }
    keep_events(seen, stream);
    settle(seen, stream);
    context.stage("destroy");
  }
  seen.counts = context.watch().counts() - before;
  return seen;
}

RunSeen Bench::run(const RunPlan& plan) {
  TapHome tap = TapHome::install(context_.folder("tap"), context_.dialect(), plan.scenario);
  AgentOptions options;
  options.config = context_.config(tap.executable());
  std::function<bool()> cancel_now;
  if (plan.cancel != RunPlan::Cancel::never) cancel_now = [&] { return has_come_to(tap, plan.cancel); };
  RunSeen seen = run_agent(context_, driver_, std::move(options), plan, cancel_now);
  seen.captures = tap.captures();
  seen.starts = tap.starts();
  return seen;
}

input::Input as_input(const Canary& canary) {
  return input::from_path(canary.kind, canary.path)
      .name(canary.name)
      .media_type(canary.media_type)
      .size(canary.size)
      .sha256(canary.sha256);
}

bool text_holds(JobContext& context, const std::string& text, const std::string& mark) {
  auto file = context.folder("texts") / "text";
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("a text cannot be written to the scratch folder");
  return !find_mark(file, mark).empty();
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (item.is_regular_file()) files.push_back(item.path());
  }
  return files;
}

}  // namespace attache::conformance
