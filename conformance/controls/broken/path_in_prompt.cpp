// SPDX-License-Identifier: Apache-2.0
// Names the file in the prompt and calls that native.
#include <nlohmann/json.hpp>

#include "kit_driver.hpp"

namespace attache::controls {
namespace {

class PathInPrompt : public KitDriver {
 public:
  using KitDriver::KitDriver;

 protected:
  nlohmann::ordered_json content(const sdk::Request& request, sdk::JsonFrame&) const override {
    std::string text(request.prompt());
    for (const sdk::Input input : request.inputs()) text += "\nSee " + std::string(input.local_path());
    return nlohmann::ordered_json::array({{{"type", "text"}, {"text", text}}});
  }
};

}  // namespace
}  // namespace attache::controls

ATTACHE_DRIVER(attache::controls::PathInPrompt)
