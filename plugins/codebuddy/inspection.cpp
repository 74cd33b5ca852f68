// SPDX-License-Identifier: Apache-2.0
#include "inspection.hpp"

#include <algorithm>
#include <chrono>

#include <nlohmann/json.hpp>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/program_output.hpp>
#include <attache/sdk/scratch.hpp>

#include "command_line.hpp"
#include "json_access.hpp"

namespace attache::codebuddy {
namespace {

using sdk::Failure;
using sdk::Status;

constexpr std::chrono::seconds kVersionPatience{15};
constexpr std::chrono::seconds kModelsPatience{60};
constexpr std::size_t kMaxModelsBytes = std::size_t{4} * 1024 * 1024;
constexpr const char* kAskModels =
    R"({"type":"control_request","request_id":"attache-models","request":{"subtype":"get_available_models"}})"
    "\n";

Json with_mode(const char* mode) {
  return {{"modes", Json::array({{{"mode", mode}}})}};
}

Json without_modes() {
  return {{"modes", Json::array()}};
}

}  // namespace

Version ask_version(const Config& config, const std::stop_token& stop) {
  const sdk::Scratch scratch("codebuddy");
  const std::string printed =
      sdk::program_output(version_command(config, scratch.path()), kVersionPatience, {}, stop);
  const auto version = sdk::read_version(printed);
  if (!version) throw Failure(Status::provider_failed, "version_unreadable", "the codebuddy CLI told no version");
  return *version;
}

std::vector<Model> ask_models(const Config& config, const std::stop_token& stop) {
  const sdk::Scratch scratch("codebuddy");
  sdk::ProgramQuestion question;
  question.input = kAskModels;
  question.kept = kMaxModelsBytes;
  // Once its input ends the CLI goes without an answer.
  question.answered = [](std::string_view printed) { return models_of(printed).has_value(); };
  const std::string printed =
      sdk::program_output(control_command(config, scratch.path()), kModelsPatience, question, stop);
  std::optional<std::vector<Model>> models = models_of(printed);
  if (!models) throw Failure(Status::provider_failed, "models_unreadable", "the codebuddy CLI told no models");
  return std::move(*models);
}

std::optional<std::vector<Model>> models_of(std::string_view printed) {
  sdk::JsonLines lines;
  std::optional<std::vector<Model>> out;
  lines.feed(printed, [&](sdk::Frame& frame) {
    const std::optional<Json> document = sdk::parse_json<Json>(frame.json);
    if (!document || text(*document, "type") != "control_response") return true;
    const Json& response = member(member(*document, "response"), "response");
    const Json& raw = member(response, "rawModels");
    if (!raw.is_array()) return true;
    out.emplace();
    for (const Json& one : raw) {
      const std::string id = text(one, "id");
      if (!id.empty()) out->push_back({id, member(one, "supportsImages") != Json(false)});
    }
    return true;
  });
  return out;
}

bool takes_images(const std::vector<Model>& models, const std::string& wanted) {
  if (models.empty()) return true;
  const auto found = std::find_if(models.begin(), models.end(), [&](const Model& one) { return one.id == wanted; });
  if (wanted.empty()) return models.front().images;
  return found == models.end() || found->images;
}

std::string inspection_of(const Version& version, const std::vector<Model>& models, const Config& config) {
  Json out{{"version", sdk::to_string(version)}};
  out["account"] = {{"type", config.api_key.empty() ? "login" : "api_key"}};
  Json list = Json::array();
  for (const Model& one : models) {
    Json inputs = Json::array({"text", "file"});
    if (one.images) inputs.push_back("image");
    list.push_back({{"id", one.id}, {"inputs", std::move(inputs)}});
  }
  out["models"] = std::move(list);
  const bool known_wire = version >= kOldestTested;
  Json file = without_modes();
  file["modes"].push_back({{"mode", "workspace_reference"}});
  if (known_wire) file["modes"].insert(file["modes"].begin(), Json{{"mode", "native"}});
  out["inputs"] = {{"image", known_wire && takes_images(models, config.model) ? with_mode("native") : without_modes()},
                   {"file", std::move(file)},
                   {"audio", without_modes()},
                   {"video", without_modes()}};
  return out.dump();
}

}  // namespace attache::codebuddy
