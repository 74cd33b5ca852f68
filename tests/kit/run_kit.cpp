// SPDX-License-Identifier: Apache-2.0
#include "run_kit.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

namespace attache::conformance {

KitRun run_kit(std::vector<std::string> arguments) {
  sdk::SpawnOptions start;
  start.executable = KIT_EXECUTABLE;
  start.arguments = std::move(arguments);
  for (char** entry = environ; *entry != nullptr; ++entry) start.environment.emplace_back(*entry);
  auto child = sdk::ChildProcess::spawn(start);
  child.close_input();
  KitRun run;
  sdk::ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) { return run.output += bytes, true; };
  handlers.on_stderr = [&](std::string_view bytes) { return run.errors += bytes, true; };
  child.pump(handlers, {});
  const auto status = child.end(std::chrono::seconds(10));
  if (status.kind == sdk::ExitStatus::Kind::exited) run.exit_code = status.value;
  return run;
}

std::filesystem::path fresh_folder() {
  std::string pattern = testing::TempDir() + "attache-kit-test-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  return pattern;
}

std::string read_all(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_all(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes;
}

}  // namespace attache::conformance
