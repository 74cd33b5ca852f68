// SPDX-License-Identifier: Apache-2.0
// A host of version 0.1 that knows no inputs: text_only PREFIX DRIVER CONFIG-JSON. Its calls mean what they meant.
#include <cstdio>
#include <string>

#include <attache/attache.hpp>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    attache::HostOptions places;
    places.prefix = argv[1];
    attache::AgentOptions options;
    options.config = argv[3];
    attache::Agent agent(attache::Host(places).driver(argv[2]), options);
    attache::Stream stream = agent.stream("streamed");
    std::string streamed;
    while (const std::optional<attache::Event> event = stream.next()) {
      if (const auto* text = std::get_if<attache::TextDelta>(&event->body)) streamed += text->text;
    }
    const attache::Result result = stream.result();
    if (!streamed.empty() && streamed != result.text) return 3;
    if (!result.inputs.empty() || !result.receipts.empty()) return 4;
    std::printf("%s|%s\n", agent.run("run").text.c_str(), result.text.c_str());
    return 0;
  } catch (const attache::LoadError&) {
    return 5;
  } catch (const attache::RunError& error) {
    std::printf("RunError %s\n", error.reason().c_str());
    return 6;
  } catch (const attache::Error& error) {
    std::printf("Error %s\n", error.reason().c_str());
    return 7;
  }
}
