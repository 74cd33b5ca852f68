// SPDX-License-Identifier: Apache-2.0
// Sends every input natively and names the first one's file to the provider in a variable.
#include "kit_driver.hpp"

namespace attache::controls {
namespace {

class PathInEnvironment : public KitDriver {
 public:
  using KitDriver::KitDriver;

 protected:
  sdk::SpawnOptions command(const sdk::Request& request) const override {
    sdk::SpawnOptions spawn = KitDriver::command(request);
    if (!request.inputs().empty()) {
      spawn.environment.push_back("KIT_INPUT=" + std::string(request.inputs()[0].local_path()));
    }
    return spawn;
  }
};

}  // namespace
}  // namespace attache::controls

ATTACHE_DRIVER(attache::controls::PathInEnvironment)
