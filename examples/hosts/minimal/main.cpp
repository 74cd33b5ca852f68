// SPDX-License-Identifier: Apache-2.0
// A complete host: minimal-host DRIVER CONFIG-JSON PROMPT IMAGE [DOCUMENT]. Drivers are found beside the library.
#include <cstdio>
#include <string>
#include <vector>

#include <attache/attache.hpp>

namespace input = attache::input;

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: minimal-host DRIVER CONFIG-JSON PROMPT IMAGE [DOCUMENT]\n");
    return 2;
  }
  try {
    attache::AgentOptions options;
    options.config = argv[2];
    attache::Agent agent{attache::Host().driver(argv[1]), options};

    std::vector<input::Input> inputs{input::from_path(input::Kind::image, argv[4]).require(input::Mode::native)};
    if (argc > 5) {
      inputs.push_back(input::from_path(input::Kind::file, argv[5]));
    }
    const attache::Result result = agent.run(argv[3], attache::with_inputs(inputs));

    std::printf("%s\n", result.text.c_str());
    for (const attache::ResolvedInput& sent : result.inputs) {
      std::printf("sent %s %s, %llu bytes\n", std::string(to_string(sent.kind)).c_str(), sent.media_type.c_str(),
                  static_cast<unsigned long long>(sent.size));
    }
    return 0;
  } catch (const attache::InputError& error) {
    std::fprintf(stderr, "refused: %s (%s)\n", error.what(), error.reason().c_str());
  } catch (const attache::LoadError& error) {
    std::fprintf(stderr, "%s\n%s\n", error.what(), error.report().to_text().c_str());
  } catch (const attache::Error& error) {
    std::fprintf(stderr, "%s (%s)\n", error.what(),
                 attache::retry_safe(error) ? "safe to retry" : "may have been sent");
  }
  return 1;
}
