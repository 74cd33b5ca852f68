// SPDX-License-Identifier: Apache-2.0
#include "checks/spi_bench.hpp"

#include <fmt/format.h>

namespace attache::conformance {

std::string SpiSeen::outcome() const {
  if (record.status == ATTACHE_OK) return "good";
  return fmt::format("{} ({})", status_word(record.status), record.error ? record.error->reason : "no reason told");
}

SpiBench::SpiBench(JobContext& context, const SpiDriver& driver, const std::string& scenario)
    : context_(context), tap_(TapHome::install(context.folder("tap"), context.dialect(), scenario)) {
  context.stage("create");
  instance_ = std::make_unique<SpiInstance>(driver, context.config(tap_.executable()));
}

SpiSeen SpiBench::run(const attache_request& request) {
  SpiSeen seen;
  context_.stage("run");
  const WatchCounts before = context_.watch().counts();
  seen.record = instance_->run(request);
  seen.counts = context_.watch().counts() - before;
  seen.captures = tap_.captures();
  seen.starts = tap_.starts();
  context_.stage("destroy");
  return seen;
}

Canary materialized(JobContext& context, Canary canary) {
  const auto folder = context.folder("run");
  const auto path = folder / ("input-1" + std::filesystem::path(canary.name).extension().string());
  std::filesystem::rename(canary.path, path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  canary.path = path;
  return canary;
}

std::string path_token(const Canary& canary) {
  return canary.path.parent_path().filename().string();
}

}  // namespace attache::conformance
