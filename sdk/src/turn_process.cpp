// SPDX-License-Identifier: Apache-2.0
#include "turn_process.hpp"

#include <chrono>

#include <attache/sdk/declared.hpp>

namespace attache::sdk {
namespace {

Failure cancelled() {
  return {Status::cancelled, "cancelled", "the run was cancelled"};
}

ChildProcess start(const SpawnOptions& options) {
  try {
    return ChildProcess::spawn(options);
  } catch (const SpawnError& error) {
    throw Failure(Status::launch_failed, error.reason(), "the provider's process could not be started");
  }
}

void admit(const Request& request, Run& run) {
  run.not_delivered();
  require_declared(request, run.descriptor());
  if (run.cancelled()) throw cancelled();
}

void note_group(Run& run, const ChildProcess& process) {
  const ProcessGroup group = process.group();
  if (group.start_time != 0) run.process_group(group.id, group.start_time);
}

}  // namespace

ChildProcess start_provider(const Request& request, Run& run, const SpawnOptions& options) {
  admit(request, run);
  ChildProcess process = start(options);
  note_group(run, process);
  return process;
}

void join_provider(const Request& request, Run& run, ChildProcess& process) {
  admit(request, run);
  if (!process.running()) throw no_result(false, process.end(std::chrono::milliseconds(0)));
  note_group(run, process);
}

ChildProcess::Limits limits_of(const Request& request) {
  ChildProcess::Limits out;
  if (const auto total = request.deadline()) out.deadline = std::chrono::steady_clock::now() + *total;
  out.idle = request.idle();
  return out;
}

void throw_if_stopped(PumpEnd end) {
  if (end == PumpEnd::cancelled) throw cancelled();
  if (end == PumpEnd::deadline) throw Failure(Status::timeout, "deadline", "the time for the run is over");
  if (end == PumpEnd::idle) throw Failure(Status::timeout, "idle", "the provider was silent for too long");
}

Failure no_result(bool announced, const ExitStatus& exit) {
  Failure failure = announced
                        ? Failure(Status::provider_failed, "no_result", "the provider's process ended without a result")
                        : Failure(Status::launch_failed, "exited_at_once",
                                  "the provider's process ended before it could take the turn");
  if (exit.kind == ExitStatus::Kind::exited) failure.provider_code(static_cast<std::uint32_t>(exit.value));
  return failure;
}

Failure turn_not_read() {
  return {Status::provider_failed, "turn_not_read", "the provider gave a result without reading the turn"};
}

}  // namespace attache::sdk
