// SPDX-License-Identifier: Apache-2.0
// A driver whose functions a test writes.
#pragma once

#include <functional>
#include <string>

#include <attache/sdk/driver.hpp>

/// The descriptor of the driver under test.
#define ATTACHE_TEST_DESCRIPTOR                                                                       \
  R"({"inputs":{"image":{"modes":[]},"file":{"modes":[{"mode":"native","media_types":["text/*"]}]},)" \
  R"("audio":{"modes":[{"mode":"native","media_types":["audio/wav"]}]},"video":{"modes":[]}}})"

namespace attache::testing {

struct Script {
  std::function<void(std::string_view)> create;
  std::function<void(const sdk::Request&, sdk::Run&)> run;
  std::function<void(sdk::RunId)> cancel;
  std::function<void()> destroy;
  std::function<std::string()> inspect;
  std::function<void()> prepare;
};
/// What the next calls do; tests set it anew.
inline Script script;

class Scripted : public sdk::Driver {
 public:
  explicit Scripted(std::string_view config) {
    if (script.create) script.create(config);
  }
  ~Scripted() override {
    if (script.destroy) script.destroy();
  }
  void run(const sdk::Request& request, sdk::Run& run) override {
    if (script.run) script.run(request, run);
  }
  void cancel(sdk::RunId id) override {
    if (script.cancel) script.cancel(id);
  }
  std::string inspect() override { return script.inspect ? script.inspect() : "{}"; }
  void prepare() override {
    if (script.prepare) script.prepare();
  }
};

/// The scripted driver through its table, with an instance.
class Loaded {
 public:
  Loaded();
  explicit Loaded(const attache_host& host);
  ~Loaded() { table->destroy(instance); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  const attache_driver* table = nullptr;
  attache_instance* instance = nullptr;
};

}  // namespace attache::testing
