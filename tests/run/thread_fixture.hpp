// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <attache/thread.hpp>

#include "fake_provider.hpp"
#include "run_fixture.hpp"

namespace attache::test {

/// Threads of an agent with a store in memory, over a provider that keeps sessions.
class ThreadTest : public RunTest {
 protected:
  ThreadTest() {
    driver.describe(R"("receipts": true)", R"("receipts": true, "resume": true, "fork": true)");
    driver.run = [this](const attache_request& request, const Calls& calls) { return provider.turn(request, calls); };
  }
  void without_fork() { driver.describe(R"(, "fork": true)", ""); }
  AgentOptions with_store() const {
    AgentOptions out = options();
    out.thread_store = store;
    return out;
  }
  Agent thread_agent() { return Agent(driver.driver(), with_store()); }
  std::string checkpoint(const std::string& key = "key") const {
    const auto record = store->load(key);
    return record ? record->checkpoint_json : "";
  }
  /// Whether a turn could be run now.
  bool is_free(const std::string& key = "key") const { return store->lease(key) != nullptr; }
  template <class Call>
  RunError failed_turn(Call call) {
    try {
      call();
    } catch (const RunError& error) {
      return error;
    }
    ADD_FAILURE() << "no RunError";
    return RunError(errc::internal, "none", "none", {}, std::nullopt);
  }
  static bool has_notice(const Result& result, std::string_view slug) {
    for (const Notice& notice : result.notices) {
      if (notice.slug == slug) return true;
    }
    return false;
  }

  std::shared_ptr<ThreadStore> store = memory_thread_store();
  FakeProvider provider;
};

}  // namespace attache::test
