// SPDX-License-Identifier: Apache-2.0
// Sends the first input a second time.
#include <nlohmann/json.hpp>

#include "kit_driver.hpp"

namespace attache::controls {
namespace {

class FirstInputTwice : public KitDriver {
 public:
  using KitDriver::KitDriver;

 protected:
  nlohmann::ordered_json content(const sdk::Request& request, sdk::JsonFrame& frame) const override {
    auto out = KitDriver::content(request, frame);
    if (request.inputs().size() != 0) out.push_back(block(request.inputs()[0], frame));
    return out;
  }
};

}  // namespace
}  // namespace attache::controls

ATTACHE_DRIVER(attache::controls::FirstInputTwice)
