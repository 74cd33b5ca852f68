// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <attache/agent.hpp>
#include <attache/sdk/spi.h>

namespace attache::run {

/// A driver's instance with what its configuration leaves of the descriptor. Destroyed with the last reference: every
/// run holds one for as long as the driver may still work on it.
class Instance {
 public:
  /// Checks the configuration and creates. Throws Error: config_invalid, option_unsupported, driver_contract,
  /// internal.
  static std::shared_ptr<Instance> create(const Driver& driver, const AgentOptions& options);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Descriptor& descriptor() const noexcept { return driver_.descriptor(); }
  const InputCapabilities& capabilities() const noexcept { return capabilities_; }
  attache_status run(const attache_request& request, attache_run run) const;
  void cancel(attache_run run) const;

 private:
  Instance(const Driver& driver, const attache_driver& table) noexcept : driver_(driver), table_(table) {}
  void ask_capabilities();
  Driver driver_;
  const attache_driver& table_;
  attache_instance* handle_ = nullptr;
  InputCapabilities capabilities_;
};

}  // namespace attache::run
