// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <attache/agent.hpp>
#include <attache/sdk/spi.h>

#include "run/diagnose.hpp"

namespace attache::run {

/// What inputs are negotiated with.
struct Effective {
  InputCapabilities capabilities;  ///< descriptor ∩ configuration, ∩ inspection when one was made
  bool inspected = false;
};

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
  /// What the configuration leaves of the descriptor.
  const InputCapabilities& capabilities() const noexcept { return capabilities_; }
  /// [any thread] As of now; inspections to come change nothing of it.
  std::shared_ptr<const Effective> effective() const;
  /// [any thread] Asks the driver, one call at a time, and narrows what later calls of effective() give. What the
  /// driver put, an object; "{}" where it offers no inspection. Throws Error.
  std::string inspect();
  /// [any thread] effective(), after an inspection if there was none yet and the driver offers one. Throws Error.
  std::shared_ptr<const Effective> inspected();
  /// [any thread] Throws Error.
  void prepare();
  /// [any thread] What no event, result or error may show: see redact/secrets.hpp.
  std::vector<std::string> secrets() const;
  attache_status run(const attache_request& request, attache_run run) const;
  void cancel(attache_run run) const;

 private:
  Instance(const Driver& driver, const attache_driver& table, const AgentOptions& options)
      : driver_(driver), table_(table), config_(options.config), diagnostics_(options.diagnostics) {}
  void ask_capabilities();
  InputCapabilities part_of(const InputCapabilities& whole, std::string_view document, const char* what) const;
  using Ask = attache_status (*)(attache_instance* instance, attache_sink sink);
  std::string ask(Ask function, const char* what);
  std::string inspect_now();

  Driver driver_;
  const attache_driver& table_;
  const std::string config_;
  const Diagnostics diagnostics_;
  attache_instance* handle_ = nullptr;
  InputCapabilities capabilities_;
  std::mutex inspecting_;     ///< held while the driver inspects
  mutable std::mutex mutex_;  ///< of what follows
  std::shared_ptr<const Effective> effective_;
};

}  // namespace attache::run
