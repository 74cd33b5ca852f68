// SPDX-License-Identifier: Apache-2.0
// Build tool: turns descriptor.json into a C file, and checks a linked driver.
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "verbs.hpp"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Embeds a driver's descriptor, and checks the driver that was linked"};
  app.require_subcommand(1);
  std::string document;
  std::string out;
  std::string library;
  CLI::App* embed = app.add_subcommand("embed", "check descriptor.json and write a C file that holds it");
  embed->add_option("descriptor", document, "descriptor.json")->required();
  embed->add_option("out", out, "the C file to write")->required();
  CLI::App* verify = app.add_subcommand("verify", "check the exports and the descriptor of a linked driver");
  verify->add_option("library", library, "the driver")->required();
  verify->add_option("--descriptor", document, "the descriptor.json it was built with")->required();
  CLI11_PARSE(app, argc, argv);
  return embed->parsed() ? embed::embed(document, out) : embed::verify(library, document);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "attache-embed-descriptor: {}\n", error.what());
    return 3;
  }
}
