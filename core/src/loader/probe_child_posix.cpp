// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

#include "loader/probe_child.hpp"
#include "loader/probe_result.hpp"

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

constexpr std::size_t max_line = 16UL * 1024;

std::vector<std::string> own_environment() {
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) out.emplace_back(*entry);
  return out;
}

StepResult failed(std::string reason, std::string text, std::string hint) {
  return {Stage::probe, std::move(reason), std::move(text), std::move(hint)};
}

StepResult without_result(const sdk::ExitStatus& status) {
  const std::string hint = "the file is damaged or the driver is faulty: build or copy it again";
  switch (status.kind) {
    case sdk::ExitStatus::Kind::signalled: {
      const char* name = ::sigabbrev_np(status.value);
      return failed("crashed",
                    fmt::format("the driver ended the probe process with signal {} (SIG{}) while it was loaded",
                                status.value, name == nullptr ? "?" : name),
                    hint);
    }
    case sdk::ExitStatus::Kind::exited:
      return failed(
          "crashed",
          fmt::format("the driver ended the probe process with exit code {} while it was loaded", status.value), hint);
    case sdk::ExitStatus::Kind::unknown:
      break;
  }
  return failed("crashed",
                "the probe process ended without a result; how is unknown, as the host reaps processes itself", hint);
}

}  // namespace

StepResult probe_in_child(const std::filesystem::path& probe, const std::filesystem::path& driver,
                          std::chrono::milliseconds time_limit) {
  sdk::SpawnOptions options;
  options.executable = probe.string();
  options.arguments = {driver.string()};
  options.environment = own_environment();
  try {
    sdk::ChildProcess child = sdk::ChildProcess::spawn(options);
    child.close_input();
    std::string line;
    sdk::ChildProcess::Handlers handlers;
    handlers.on_stdout = [&](std::string_view piece) {
      line.append(piece.substr(0, max_line - std::min(max_line, line.size())));
      return true;
    };
    handlers.on_stderr = [](std::string_view) { return true; };
    sdk::ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + time_limit;
    const sdk::PumpEnd end = child.pump(handlers, limits);
    const bool in_time = end == sdk::PumpEnd::exited;
    const sdk::ExitStatus status = child.end(std::chrono::milliseconds(in_time ? 1000 : 0));
    if (!in_time) {
      return failed("hung", fmt::format("the driver did not finish loading in {} ms", time_limit.count()),
                    "the driver is faulty: its constructors or entry function never return");
    }
    const auto result = parse_probe_line(line.substr(0, line.find('\n')));
    if (!result || (!result->failed() && !status.success() && status.kind != sdk::ExitStatus::Kind::unknown)) {
      return without_result(status);
    }
    return *result;
  } catch (const sdk::SpawnError& error) {
    return failed("probe_missing", fmt::format("the probe program could not be started: {}", error.reason()),
                  fmt::format("install attache-probe as {}, set HostOptions::prefix to the installation, or put the "
                              "driver's digest into HostOptions::trusted_sha256",
                              probe.string()));
  }
}

}  // namespace attache
