// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/process_turn.hpp>
using namespace attache::sdk;
using Json = nlohmann::ordered_json;
class Minimal : public Driver {
 public:
  explicit Minimal(std::string_view config) : executable_(Json::parse(config).at("executable")) {}
  void run(const Request& request, Run& run) override {
    JsonFrame frame;  // each input stands in it as a marker and is streamed from its file while the frame is written
    Json content = Json::array();
    if (!request.prompt().empty()) content.push_back({{"type", "text"}, {"text", request.prompt()}});
    for (const Input input : request.inputs()) {
      const Json source{{"type", "base64"}, {"media_type", input.media_type()}, {"data", frame.add(slot_of(input))}};
      content.push_back({{"type", "image"}, {"source", source}});
    }
    frame.set_document(Json{{"type", "user"}, {"message", {{"role", "user"}, {"content", content}}}}.dump());
    const auto on_frame = [&run](Frame& line) {
      const Json json = Json::parse(line.json, nullptr, false);
      if (!json.is_object() || json.value("type", "") != "result") return false;
      if (json.value("is_error", true)) throw Failure(Status::provider_refused, "refused", "the provider said no");
      return run.completed(json.value("result", "")), true;
    };
    run_process_turn(request, run, {executable_, {}, {}, std::string(request.workspace())}, frame, {on_frame, {}});
  }
  const std::string executable_;
};
ATTACHE_DRIVER(Minimal)
