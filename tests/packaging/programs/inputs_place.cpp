// SPDX-License-Identifier: Apache-2.0
// Compiles; with AS_AGENT_OPTION it must not: inputs belong to a call, never to an agent.
#include <attache/attache.hpp>

std::string both(const attache::Driver& driver, const attache::input::Input& input) {
#ifdef AS_AGENT_OPTION
  attache::Agent agent(driver, attache::with_inputs(input));
  return agent.run("prompt").text;
#else
  attache::Agent agent(driver, attache::AgentOptions{});
  return agent.run("prompt", attache::with_inputs(input)).text;
#endif
}
