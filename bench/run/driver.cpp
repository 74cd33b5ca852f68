// SPDX-License-Identifier: Apache-2.0
// Sends every input as base64 in one frame to the stand-in CLI, and takes its first result.
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/process_turn.hpp>

namespace {

using namespace attache::sdk;
using Json = nlohmann::ordered_json;

class BenchDriver : public Driver {
 public:
  explicit BenchDriver(std::string_view config) : executable_(Json::parse(config).at("executable")) {}

  void run(const Request& request, Run& run) override {
    JsonFrame frame;
    Json content = Json::array({{{"type", "text"}, {"text", request.prompt()}}});
    for (const Input input : request.inputs()) {
      Json source{{"type", "base64"}, {"media_type", input.media_type()}, {"data", frame.add(slot_of(input))}};
      content.push_back({{"type", "document"}, {"source", std::move(source)}});
    }
    frame.set_document(Json{{"type", "user"}, {"message", {{"role", "user"}, {"content", std::move(content)}}}}.dump());
    SpawnOptions command;
    command.executable = executable_;
    command.arguments = {"--turn"};
    const auto on_frame = [&run](Frame& line) {
      const Json json = Json::parse(line.json, nullptr, false);
      if (!json.is_object() || json.value("type", "") != "result") return false;
      run.completed(json.value("result", ""));
      return true;
    };
    run_process_turn(request, run, command, frame, {on_frame, {}});
  }

 private:
  const std::string executable_;
};

}  // namespace

ATTACHE_DRIVER(BenchDriver)
