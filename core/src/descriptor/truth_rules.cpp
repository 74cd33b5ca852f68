// SPDX-License-Identifier: Apache-2.0
#include "descriptor/truth_rules.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "descriptor/config_schema.hpp"
#include "descriptor/media_type.hpp"

namespace attache {
namespace {

using Json = nlohmann::ordered_json;
using Faults = std::vector<DescriptorFault>;

constexpr std::array kinds{input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video};

bool uses(const Descriptor& descriptor, input::Mode mode) {
  return std::any_of(kinds.begin(), kinds.end(), [&](input::Kind kind) {
    const auto& modes = descriptor.inputs.of(kind).modes;
    return std::any_of(modes.begin(), modes.end(), [&](const ModeCapability& m) { return m.mode == mode; });
  });
}

void check_modes(const Descriptor& descriptor, Faults& faults) {
  const bool urls = uses(descriptor, input::Mode::provider_url);
  if (urls && descriptor.features.url_schemes.empty()) {
    faults.push_back({"/features/url_schemes", "must name the schemes: a kind has the mode provider_url"});
  }
  if (!urls && !descriptor.features.url_schemes.empty()) {
    faults.push_back({"/features/url_schemes", "must be empty: no kind has the mode provider_url"});
  }
  const bool references = uses(descriptor, input::Mode::workspace_reference);
  if (references && descriptor.placement.empty()) {
    faults.push_back({"/placement", "required: a kind has the mode workspace_reference"});
  }
  if (!references && !descriptor.placement.empty()) {
    faults.push_back({"/placement", "must be absent: no kind has the mode workspace_reference"});
  }
}

void check_limits(const Descriptor& descriptor, Faults& faults) {
  const SetLimits& limits = descriptor.inputs.limits;
  if (limits.many_images && descriptor.inputs.image.modes.empty()) {
    faults.push_back({"/limits/many_images", "must be absent: images are not supported"});
  }
  for (const input::Kind kind : kinds) {
    const auto& modes = descriptor.inputs.of(kind).modes;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (limits.max_count && modes[i].max_count && *modes[i].max_count > *limits.max_count) {
        faults.push_back({fmt::format("/inputs/{}/modes/{}/max_count", input::to_string(kind), i),
                          "is above the max_count of limits"});
      }
    }
  }
}

void check_transport(const Descriptor& descriptor, const Json& document, Faults& faults) {
  const auto config = document.find("config");
  if (config == document.end() || !config->is_object()) return;
  if (config->value("type", "") != "object") {
    faults.push_back({"/config/type", "must be object"});
    return;
  }
  if (!descriptor.transport_option.empty()) {
    const auto properties = config->find("properties");
    const bool known = properties != config->end() && properties->contains(descriptor.transport_option);
    if (!known || properties->at(descriptor.transport_option).value("type", "") != "string") {
      faults.push_back({"/transport/option", "must be a property of type string of config"});
    }
  }
  if (!descriptor.transport_test_config.empty()) {
    check_value(*config, Json::parse(descriptor.transport_test_config), "/transport/test_config",
                Required::ignore_at_top, faults);
  }
}

}  // namespace

void check_truth(const Descriptor& descriptor, const Json& document, Faults& faults) {
  check_modes(descriptor, faults);
  check_limits(descriptor, faults);
  if (descriptor.features.fork && !descriptor.features.resume) {
    faults.push_back({"/features/fork", "needs resume"});
  }
  const std::size_t before = faults.size();
  const auto config = document.find("config");
  if (config == document.end()) return;
  check_schema(*config, "/config", faults);
  if (faults.size() == before) check_transport(descriptor, document, faults);
}

}  // namespace attache
