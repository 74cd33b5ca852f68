// SPDX-License-Identifier: Apache-2.0
// The C++ side of the SPI: derive from Driver, name the class to ATTACHE_DRIVER, build with attache_add_driver().
//
//   class Echo : public attache::sdk::Driver {
//    public:
//     explicit Echo(std::string_view config_json);
//     void run(const attache::sdk::Request& request, attache::sdk::Run& run) override;
//   };
//   ATTACHE_DRIVER(Echo)
#pragma once

#include <string>
#include <string_view>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/spi.h>

namespace attache::sdk {

/// A driver with one configuration. The class needs a constructor from the config, a JSON object that satisfies the
/// descriptor's schema; it starts nothing and throws Failure(invalid) for what the schema cannot say. The
/// destructor ends every process and joins every thread. Overrides must be public.
///
/// A function says that it failed by throwing: Failure with its own status, anything else becomes `internal`.
/// \since 0.1
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  /// One turn. Entered from up to max_parallel_runs threads at once. To return is success.
  virtual void run(const Request& request, Run& run) = 0;

  /// Optional, any thread, idempotent, before, during or after the run. Run::stop_token() is stopped for you; this
  /// is for what it cannot reach.
  virtual void cancel(RunId) {}
  /// Optional, any thread: {"inputs":…,"limits":…}, what this configuration leaves of the descriptor. Starts nothing.
  virtual std::string capabilities() { return {}; }
  /// Optional, any thread: {"version":…,"account":…,"models":[…],"inputs":…}. May start the provider.
  virtual std::string inspect() { return {}; }
  /// Optional, any thread: starts ahead of time what a run will need.
  virtual void prepare() {}
};

}  // namespace attache::sdk

#include <attache/sdk/table.hpp>

/// Makes `Class` the driver of this plugin: defines the SPI's entry point. Once, at namespace scope.
#define ATTACHE_DRIVER(Class)                                                                       \
  extern "C" ATTACHE_EXPORT attache_status attache_driver_entry_v1(const attache_host* host,        \
                                                                   const attache_driver** driver) { \
    return ::attache::sdk::detail::Table<Class>::enter(host, driver);                               \
  }
