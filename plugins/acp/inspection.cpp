// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <nlohmann/json.hpp>

namespace attache::acp {
namespace {

using Json = nlohmann::ordered_json;

/// As descriptor.json has them.
const Json kImages{"image/png", "image/jpeg", "image/gif", "image/webp"};
const Json kTexts{"text/plain", "text/markdown", "text/csv", "application/json"};
const Json kFiles{"text/plain", "text/markdown", "text/csv", "application/json", "application/pdf"};
const Json kAudio{"audio/wav", "audio/mpeg", "audio/mp4", "audio/webm", "audio/ogg"};

Json modes(const Json& native, const Json& reference) {
  Json out = Json::array();
  if (!native.empty()) out.push_back({{"mode", "native"}, {"media_types", native}, {"encoding", "base64"}});
  if (!reference.empty()) out.push_back({{"mode", "workspace_reference"}, {"media_types", reference}});
  return Json{{"modes", std::move(out)}};
}

Json inputs(const sdk::AcpAgent& agent, const Config& config) {
  const Json none = Json::array();
  const Json& embedded = config.embedded_blobs ? kFiles : kTexts;
  // Of resource links every agent takes the line; whether it opens them is its model's to decide.
  return Json{{"image", modes(agent.image ? kImages : none, kImages)},
              {"file", modes(agent.embedded_context ? embedded : none, kFiles)},
              {"audio", modes(agent.audio ? kAudio : none, none)},
              {"video", modes(none, none)}};
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
