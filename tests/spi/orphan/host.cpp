// SPDX-License-Identifier: Apache-2.0
// A host with one run: orphan_host DRIVER-DIRECTORY DRIVER BASE CONFIG [TEXT]. The text is given as a file. Says when
// the run has started and what the provider answers.
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <attache/attache.hpp>

int main(int argc, char** argv) {
  if (argc < 5) return 64;
  using namespace attache;
  try {
    HostOptions places;
    places.directories = {argv[1]};
    places.installed_directory = false;
    places.probe = false;
    AgentOptions options;
    options.run_base = argv[3];
    options.config = argv[4];
    Agent agent{Host(places).driver(argv[2]), options};
    std::vector<input::Input> inputs;
    if (argc > 5) {
      inputs.push_back(
          input::from_bytes(input::Kind::file, "text/plain", std::as_bytes(std::span(argv[5], std::strlen(argv[5])))));
    }
    Stream stream = agent.stream("prompt", with_inputs(inputs));
    for (const Event& event : stream) {
      if (std::holds_alternative<Started>(event.body)) std::puts("started");
      if (const auto* piece = std::get_if<TextDelta>(&event.body)) std::fputs(piece->text.c_str(), stdout);
      std::fflush(stdout);
    }
    stream.result();
    std::puts("done");
    return 0;
  } catch (const Error& error) {
    std::printf("failed: %s: %s\n", error.reason().c_str(), error.what());
    return 1;
  }
}
