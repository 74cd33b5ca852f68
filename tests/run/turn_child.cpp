// SPDX-License-Identifier: Apache-2.0
// Another host: one turn of the thread "key" in the store named by the second argument. Its provider has the sessions
// named by further arguments, and answers at the end of standard input.
#include <cstdio>
#include <string>

#include <attache/thread.hpp>

#include "fake_provider.hpp"
#include "scratch.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return 64;
  const std::string prompt = argv[1];
  using namespace attache;
  const test::Scratch scratch;
  test::FakeProvider provider;
  for (int i = 3; i < argc; ++i) provider.sessions[argv[i]] = {"of another host"};
  test::FakeDriver driver(
      [&](const attache_request& request, const test::Calls& calls) { return provider.turn(request, calls); });
  driver.describe(R"("receipts": true)", R"("receipts": true, "resume": true, "fork": true)");
  provider.judge = [](const std::vector<std::string>&, const test::Calls&) {
    std::puts("inside");
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return ATTACHE_OK;
  };
  try {
    AgentOptions options;
    options.run_base = scratch.base();
    options.thread_store = sqlite_thread_store(argv[2]);
    Agent agent(driver.driver(), options);
    agent.thread("key").run(prompt);
    return 0;
  } catch (const Error& error) {
    std::puts(error.reason().c_str());
    return 2;
  }
}
