// SPDX-License-Identifier: Apache-2.0
// A complete host: minimal-host PREFIX DRIVER CONFIG-JSON PROMPT IMAGE [DOCUMENT]
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <attache/attache.hpp>

namespace input = attache::input;

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: minimal-host PREFIX DRIVER CONFIG-JSON PROMPT IMAGE [DOCUMENT]\n");
    return 2;
  }
  try {
    attache::HostOptions places;
    places.prefix = std::filesystem::absolute(argv[1]);  // where Attache is installed
    attache::AgentOptions options;
    options.config = argv[3];
    attache::Agent agent{attache::Host(places).driver(argv[2]), options};

    std::vector<input::Input> inputs{input::from_path(input::Kind::image, argv[5]).require(input::Mode::native)};
    if (argc > 6) {
      inputs.push_back(input::from_path(input::Kind::file, argv[6]));
    }
    const attache::Result result = agent.run(argv[4], attache::with_inputs(inputs));

    std::printf("%s\n", result.text.c_str());
    for (const attache::ResolvedInput& sent : result.inputs) {
      std::printf("sent %s %s, %llu bytes\n", std::string(to_string(sent.kind)).c_str(), sent.media_type.c_str(),
                  static_cast<unsigned long long>(sent.size));
    }
    return 0;
  } catch (const attache::InputError& error) {
    std::fprintf(stderr, "input %zu refused: %s %s\n", error.index().value_or(0), error.what(),
                 error.alternative().c_str());
  } catch (const attache::LoadError& error) {
    std::fprintf(stderr, "%s\n", error.report().to_text().c_str());
  } catch (const attache::Error& error) {
    std::fprintf(stderr, "%s (%s)\n", error.what(),
                 attache::retry_safe(error) ? "safe to retry" : "may have been sent");
  }
  return 1;
}
