// SPDX-License-Identifier: Apache-2.0
#include "run/agents.hpp"

#include "support/child.hpp"

namespace attache::bench {
namespace {

Agent agent(const std::filesystem::path& driver, const std::string& more, const std::filesystem::path& base) {
  HostOptions options;
  options.prefix = build_prefix();
  options.allow_other_owners = true;
  options.allow_writable_by_others = true;
  AgentOptions settings;
  settings.config = "{\"executable\":\"" + beside_us("bench_sink").native() + "\"" + more + "}";
  settings.run_base = base;
  settings.limits = {20, std::uint64_t{1} << 30, std::uint64_t{2} << 30};
  return Agent(Host(options).driver_from_file(driver), settings);
}

}  // namespace

Agent bench_agent(const std::filesystem::path& base) {
  return agent(beside_us("drivers") / "attache-driver-bench.so", "", base);
}

Agent claude_agent(const std::filesystem::path& base) {
  return agent(build_prefix() / "lib/attache/drivers/attache-driver-claude.so", ",\"home\":\"/\"", base);
}

}  // namespace attache::bench
