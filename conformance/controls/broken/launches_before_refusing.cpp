// SPDX-License-Identifier: Apache-2.0
// Starts its provider to ask for a version before it refuses an input.
#include "kit_driver.hpp"

namespace attache::controls {
namespace {

class LaunchesBeforeRefusing : public KitDriver {
 public:
  using KitDriver::KitDriver;

 protected:
  void admit(const sdk::Request& request) const override {
    try {
      KitDriver::admit(request);
    } catch (const sdk::Failure&) {
      sdk::SpawnOptions spawn = command();
      spawn.arguments = {"--version"};
      sdk::ChildProcess child = sdk::ChildProcess::spawn(spawn);
      child.end(std::chrono::seconds(5));
      throw;
    }
  }
};

}  // namespace
}  // namespace attache::controls

ATTACHE_DRIVER(attache::controls::LaunchesBeforeRefusing)
