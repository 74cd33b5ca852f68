// SPDX-License-Identifier: Apache-2.0
// attache-conformance: judges a driver by what leaves it.
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/controls.hpp"
#include "check/registry.hpp"
#include "check/runner.hpp"
#include "check/scratch.hpp"
#include "check/worker.hpp"
#include "recorder/serve.hpp"
#include "report/report.hpp"
#include "wire/kit_paths.hpp"

namespace kit = attache::conformance;

namespace {

constexpr int usage_error = 2;
constexpr int kit_fault = 4;

struct Arguments {
  std::vector<std::string> plugins;
  std::string filter = "*", json, config, result, provider = "embedded", executable;
  unsigned jobs = 2;
  std::optional<std::uint64_t> seed;
  std::optional<double> time_limit;
  std::string dialect, scenario = "ok", directory;
  std::uint16_t port = 0;
  bool list_json = false, list_markdown = false, evidence = false;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("a file named on the command line cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

std::string now() {
  const std::time_t time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

kit::CheckOptions options_of(const Arguments& arguments) {
  kit::CheckOptions options;
  options.filter = arguments.filter;
  options.jobs = std::max(1u, arguments.jobs);
  options.seed = arguments.seed ? *arguments.seed : std::random_device{}();
  if (!arguments.executable.empty()) options.provider = std::filesystem::absolute(arguments.executable);
  // A real provider takes seconds to start, several times in a job.
  const double limit = arguments.time_limit.value_or(options.provider.empty() ? 20 : 120);
  options.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(limit * 1000));
  options.executable = kit::own_executable();
  if (!arguments.config.empty()) options.config = read_file(arguments.config);
  return options;
}

int check(const Arguments& arguments) {
  if ((arguments.provider == "real") == arguments.executable.empty()) {
    fmt::print(stderr, "attache-conformance: --provider real and --executable FILE go together\n");
    return usage_error;
  }
  const kit::CheckOptions options = options_of(arguments);
  if (kit::count_selected(options) == 0) {
    fmt::print(stderr, "attache-conformance: the filter selects no check of this provider\n");
    return usage_error;
  }
  auto style = kit::TerminalStyle::of_standard_output();
  style.evidence = arguments.evidence;
  const std::string started = now();
  std::vector<kit::PluginReport> reports;
  for (const auto& plugin : arguments.plugins) {
    reports.push_back(kit::check_plugin(std::filesystem::absolute(plugin), options));
    print(kit::render_terminal(reports.back(), style));
  }
  if (!arguments.json.empty()) {
    std::ofstream out(arguments.json, std::ios::binary);
    out << kit::render_json(reports, started);
    if (!out.flush()) throw std::runtime_error("the result file cannot be written");
  }
  return kit::exit_code(reports);
}

int list(const Arguments& arguments) {
  print(arguments.list_markdown ? kit::render_list_markdown()
        : arguments.list_json   ? kit::render_list_json()
                                : kit::render_list(kit::TerminalStyle::of_standard_output()));
  return 0;
}

int describe(const Arguments& arguments) {
  int code = 0;
  for (const auto& plugin : arguments.plugins) {
    const attache::FileReport file = attache::read_plugin_file(std::filesystem::absolute(plugin));
    if (file.descriptor) {
      print(file.descriptor->json + "\n");
    } else {
      fmt::print(stderr, "{}: {} ({})\n", plugin, file.text, file.reason);
      for (const auto& fault : file.faults) fmt::print(stderr, "  {}: {}\n", fault.pointer, fault.text);
      if (!file.hint.empty()) fmt::print(stderr, "  hint: {}\n", file.hint);
      code = 1;
    }
  }
  return code;
}

int report(const Arguments& arguments) {
  auto style = kit::TerminalStyle::of_standard_output();
  style.evidence = arguments.evidence;
  const auto reports = kit::parse_report(read_file(arguments.result));
  for (const auto& one : reports) print(kit::render_terminal(one, style));
  return kit::exit_code(reports);
}

int controls(const Arguments& arguments) {
  bool all = true;
  for (const auto& control : kit::run_controls(kit::controls_folder(), options_of(arguments))) {
    fmt::print("{}  {}: fails {}\n", control.holds() ? "ok  " : "LIES", control.name,
               control.failed.empty() ? "nothing" : fmt::format("{}", fmt::join(control.failed, ", ")));
    if (!control.holds()) {
      fmt::print("      expected {}\n", fmt::join(control.expected, ", "));
      for (const auto& line : control.details) fmt::print("      {}\n", line);
    }
    all = all && control.holds();
  }
  return all ? 0 : 1;
}

int serve(const Arguments& arguments) {
  std::optional<kit::Scratch> scratch;
  if (arguments.directory.empty()) scratch.emplace();
  const std::filesystem::path directory = scratch ? scratch->path() : std::filesystem::absolute(arguments.directory);
  kit::serve(directory, kit::Dialect::find(arguments.dialect, {}), arguments.scenario, arguments.port,
             [](const std::string& line) {
               print(line + "\n");
               std::fflush(stdout);
             });
  return 0;
}

/// The verb and its arguments; CLI11 calls the chosen one's action.
int run(int argc, char** argv) {
  CLI::App app{
      "Judges a driver of Attache by what leaves it. Exit codes: 0 conformant, 1 not conformant, 2 usage, "
      "3 incomplete, 4 fault of the kit or the machine.",
      "attache-conformance"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(kit::kit_version));
  Arguments arguments;
  int (*action)(const Arguments&) = nullptr;

  auto* check_verb = app.add_subcommand("check", "run the checks on plugins");
  check_verb->add_option("plugin", arguments.plugins, "driver files")->required();
  check_verb->add_option("--filter", arguments.filter, "glob over ids, e.g. 'WIRE-*'");
  check_verb->add_option("--json", arguments.json, "write the results to this file");
  check_verb->add_option("--config", arguments.config, "file with a JSON object merged over the driver's test config");
  check_verb
      ->add_option("--provider", arguments.provider,
                   "embedded: the kit's stand-in; real: the provider's own executable, in an empty environment with a "
                   "private HOME and a fake key, against a recorder on the loopback address (checks REAL-*)")
      ->check(CLI::IsMember({"embedded", "real"}));
  check_verb->add_option("--executable", arguments.executable, "of the real provider")->check(CLI::ExistingFile);
  check_verb->add_flag("--evidence", arguments.evidence, "show the evidence of checks that passed, too");
  check_verb->callback([&] { action = check; });

  auto* controls_verb =
      app.add_subcommand("controls", "test the kit: every broken driver fails exactly what it should");
  controls_verb->callback([&] { action = controls; });
  for (auto* verb : {check_verb, controls_verb}) {
    verb->add_option("--jobs", arguments.jobs, "processes at a time")->check(CLI::Range(1u, 64u));
    verb->add_option("--seed", arguments.seed, "of what is generated; random when absent");
    verb->add_option("--time-limit", arguments.time_limit, "seconds for each process")->check(CLI::Range(0.1, 3600.0));
  }

  auto* list_verb = app.add_subcommand("list", "every check with its rule");
  list_verb->add_flag("--json", arguments.list_json, "as JSON");
  list_verb->add_flag("--markdown", arguments.list_markdown, "as docs/conformance/checks.md");
  list_verb->callback([&] { action = list; });

  auto* describe_verb = app.add_subcommand("describe", "print the descriptor, by reading the file only");
  describe_verb->add_option("plugin", arguments.plugins, "driver files")->required();
  describe_verb->callback([&] { action = describe; });

  auto* report_verb = app.add_subcommand("report", "render a result file again");
  report_verb->add_option("result", arguments.result, "file written by check --json")->required();
  report_verb->add_flag("--evidence", arguments.evidence, "show the evidence of checks that passed, too");
  report_verb->callback([&] { action = report; });

  auto* serve_verb = app.add_subcommand("serve", "run the recorder alone, for any client to point at");
  serve_verb->add_option("dialect", arguments.dialect, "an HTTP dialect, e.g. anthropic-messages")->required();
  serve_verb->add_option("--scenario", arguments.scenario, "which of the dialect's answers to give");
  serve_verb->add_option("--port", arguments.port, "on the loopback address; any free one when absent");
  serve_verb->add_option("--directory", arguments.directory, "keep what was recorded here");
  serve_verb->callback([&] { action = serve; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : usage_error;
  }
  return action(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "__job") return kit::work_on(argv[2]);
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "attache-conformance: {}\n", error.what());
    return kit_fault;
  }
}
