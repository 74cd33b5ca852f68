// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <nlohmann/json.hpp>

namespace attache::acp {
namespace {

using Json = nlohmann::ordered_json;

Json modes(bool native, bool reference) {
  Json out = Json::array();
  if (native) out.push_back({{"mode", "native"}});
  if (reference) out.push_back({{"mode", "workspace_reference"}});
  return {{"modes", std::move(out)}};
}

Json inputs(const sdk::AcpAgent& agent, const Config& config) {
  Json file = modes(agent.embedded_context, true);
  if (agent.embedded_context && !config.embedded_blobs) {
    file["modes"][0]["media_types"] = {"text/plain", "text/markdown", "text/csv", "application/json"};
  }
  // Of resource links every agent takes the line; whether it opens them is its model's to decide.
  return {{"image", modes(agent.image, true)},
          {"file", std::move(file)},
          {"audio", modes(agent.audio, false)},
          {"video", modes(false, false)}};
}

}  // namespace

std::string capabilities_of(const Config& config) {
  sdk::AcpAgent any;
  any.image = any.audio = any.embedded_context = true;
  return Json{{"inputs", inputs(any, config)}}.dump();
}

std::string inspection_of(const sdk::AcpAgent& agent, const Config& config) {
  return Json{{"version", agent.version},
              {"agent", agent.name},
              {"auth_methods", agent.auth_methods},
              {"inputs", inputs(agent, config)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attache::acp
