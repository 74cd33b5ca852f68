// SPDX-License-Identifier: Apache-2.0
#include "run/agent_core.hpp"

#include <algorithm>
#include <future>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace attache::run {
namespace {

/// Drops the agent's reference to the instance. A driver whose destroy does not return is left behind with a thread
/// of its own after the grace.
void destroy_within(std::shared_ptr<Instance> instance, std::chrono::milliseconds grace) {
  auto done = std::make_shared<std::promise<void>>();
  const std::future<void> destroyed = done->get_future();
  std::thread thread;
  try {
    thread = std::thread([instance = std::move(instance), done]() mutable {
      instance.reset();
      done->set_value();
    });
  } catch (const std::system_error&) {
    return;  // no thread to be had: it was destroyed on this one
  }
  if (destroyed.wait_for(grace) == std::future_status::ready) {
    thread.join();
  } else {
    thread.detach();
  }
}

std::string new_salt() {
  std::random_device random;
  std::string salt;
  for (int i = 0; i < 8; ++i) salt += fmt::format("{:08x}", random());
  return salt;
}

}  // namespace

AgentCore::AgentCore(Driver given, const AgentOptions& options)
    : driver(std::move(given)),
      settings(options),
      grace(std::max(options.cancel_grace, std::chrono::milliseconds::zero())),
      salt(new_salt()),
      gate(std::make_shared<Gate>(driver.descriptor().max_parallel_runs)),
      instance(Instance::create(driver, options)),
      capabilities(instance->capabilities()) {}

RunTerms AgentCore::terms() {
  RunTerms out;
  out.gate = gate;
  {
    std::lock_guard lock(mutex);
    out.instance = instance;
  }
  out.limits = settings.limits;
  out.history_limits = settings.history_limits;
  out.run_base = settings.run_base;
  out.workspace = settings.workspace;
  out.fidelity = settings.fidelity;
  out.forbid_retention = settings.forbid_retention;
  out.allow_provider_urls = settings.allow_provider_urls;
  out.provider_url_hosts = settings.provider_url_hosts;
  out.diagnostics = settings.diagnostics;
  out.grace = grace;
  out.event_buffer = settings.event_buffer;
  return out;
}

std::shared_ptr<Run> AgentCore::new_run(std::string prompt, const std::vector<RunOption>& options,
                                        std::unique_ptr<threads::Turn> turn) {
  return std::make_shared<Run>(terms(), std::move(prompt), RunSettings::from(options), std::move(turn));
}

Result AgentCore::finish(const std::shared_ptr<Run>& run) {
  run->events().discard();
  if (run->start()) {
    run->supervise();
  }
  return run->result();
}

std::shared_ptr<Instance> AgentCore::open_instance() {
  std::lock_guard lock(mutex);
  if (instance == nullptr) {
    throw Error(errc::agent_closed, "agent_closed", "the agent is closed");
  }
  return instance;
}

void AgentCore::close() {
  gate->close();
  std::shared_ptr<Instance> last;
  {
    std::lock_guard lock(mutex);
    last = std::move(instance);
  }
  if (last != nullptr) {
    destroy_within(std::move(last), grace);
  }
}

}  // namespace attache::run
