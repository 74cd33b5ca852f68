// SPDX-License-Identifier: Apache-2.0
// One turn with provider.cpp, in the run's private directory. Says as text what the provider says.
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/process_turn.hpp>

namespace {

using namespace attache::sdk;

class Orphan : public Driver {
 public:
  explicit Orphan(std::string_view config) : config_(nlohmann::json::parse(config)) {}

  void run(const Request& request, Run& run) override {
    JsonFrame frame;
    frame.set_document("\"turn\"");
    SpawnOptions spawn;
    spawn.executable = config_.at("executable").get<std::string>();
    if (config_.value("quick", false)) spawn.arguments = {"quick"};
    spawn.working_directory = run.private_directory();
    TurnHandlers handlers;
    handlers.on_frame = [&](Frame& one) {
      run.text(nlohmann::json::parse(one.json).get<std::string>() + "\n");
      return one.json == "\"over\"";
    };
    run_process_turn(request, run, spawn, frame, handlers);
  }

 private:
  const nlohmann::json config_;
};

}  // namespace

ATTACHE_DRIVER(Orphan)
