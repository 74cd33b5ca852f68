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

Bench::Bench(JobContext& context)
    : context_(context), driver_(Host(host_options()).driver_from_file(context.spec().plugin)) {}

RunSeen Bench::run(const RunPlan& plan) {
  TapHome tap = TapHome::install(context_.folder("tap"), context_.dialect(), plan.scenario);
  RunSeen seen;
  seen.run_base = context_.folder("runs");
  seen.run_token = seen.run_base.filename().string();
  seen.driver_token = seen.run_token + "/driver-";
  AgentOptions options;
  options.config = context_.config(tap.executable());
  options.limits = plan.limits;
  options.run_base = seen.run_base;
  options.cancel_grace = std::chrono::milliseconds(3000);
  if (context_.descriptor().placement == "workspace") options.workspace = context_.folder("workspace");
  const WatchCounts before = context_.watch().counts();
  context_.stage("run");
  {
    Agent agent(driver_, options);
    Stream stream = agent.stream(plan.prompt, with_inputs(plan.inputs));
    if (plan.cancel != RunPlan::Cancel::never) {
      eventually([&] { return has_come_to(tap, plan.cancel); });
      stream.cancel();
    }
    keep_events(seen, stream);
    settle(seen, stream);
    context_.stage("destroy");
  }
  seen.counts = context_.watch().counts() - before;
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
