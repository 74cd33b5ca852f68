// SPDX-License-Identifier: Apache-2.0
// Trims the prompt, with inputs and without.
#include <nlohmann/json.hpp>

#include "kit_driver.hpp"

namespace attache::controls {
namespace {

class PromptRewritten : public KitDriver {
 public:
  using KitDriver::KitDriver;

 protected:
  nlohmann::ordered_json content(const sdk::Request& request, sdk::JsonFrame& frame) const override {
    auto out = KitDriver::content(request, frame);
    if (!request.prompt().empty()) {
      auto& text = out.front().at("text").get_ref<std::string&>();
      text.erase(text.find_last_not_of(' ') + 1);
    }
    return out;
  }
};

}  // namespace
}  // namespace attache::controls

ATTACHE_DRIVER(attache::controls::PromptRewritten)
