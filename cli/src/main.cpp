// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "failure.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace attache::cli {
namespace {

ExitCode usage_failure(Printer& printer, const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  const bool failed = app.exit(error, out, err) != 0;
  if (!failed) {
    printer.answer(out.str());
    return ExitCode::ok;
  }
  printer.note(fmt::format("attache: {}", error.what()));
  printer.note("see attache --help");
  return ExitCode::usage;
}

ExitCode tell(Printer& printer, const Error& error, bool json) {
  if (json) {
    printer.json(failure_json(error));
  } else {
    printer.end_answer();
  }
  const std::vector<std::string> lines = failure_lines(error);
  printer.note(fmt::format("attache: {}", lines.front()));
  for (std::size_t at = 1; at < lines.size(); ++at) {
    printer.note(fmt::format("  {}", lines[at]));
  }
  return exit_code(error);
}

ExitCode guarded(Printer& printer, bool json, const std::function<ExitCode()>& verb) {
  try {
    return verb();
  } catch (const Error& error) {
    return printer.reader_gone() ? ExitCode::reader_gone : tell(printer, error, json);
  } catch (const CLI::ParseError& error) {
    printer.note(fmt::format("attache: {}", error.what()));
    return ExitCode::usage;
  } catch (const std::exception& error) {
    return tell(printer, Error(errc::internal, "unexpected", error.what()), json);
  }
}

ExitCode command(int argc, char** argv) {
  survive_broken_pipes();
  Printer printer;
  CLI::App app("Hands images, files, audio and video to AI agents and proves that they arrived.", "attache");
  app.set_version_flag("--version", "attache " ATTACHE_VERSION);
  app.require_subcommand(1, 1);
  app.get_formatter()->column_width(34);
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 usage, 3 input refused (nothing was sent), 4 driver not found or refused,\n"
      "5 configuration invalid, 6 timeout, 130 cancelled, 141 standard output closed.");

  DriversVerb drivers;
  PlanVerb plan;
  RunVerb run;
  const CLI::App* drivers_app = drivers.add_to(app);
  const CLI::App* plan_app = plan.add_to(app);
  run.add_to(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return usage_failure(printer, app, error);
  }

  const bool is_drivers = drivers_app->parsed(), is_plan = plan_app->parsed();
  const bool json = is_plan ? plan.json() : !is_drivers && run.json();
  const ExitCode code = guarded(printer, json, [&] {
    return is_drivers ? drivers.run(printer) : is_plan ? plan.run(printer) : run.run(printer);
  });
  return printer.reader_gone() ? ExitCode::reader_gone : code;
}

}  // namespace
}  // namespace attache::cli

int main(int argc, char** argv) {
  try {
    return static_cast<int>(attache::cli::command(argc, argv));
  } catch (const std::exception&) {
    attache::cli::write_all(attache::cli::Channel::err, "attache: out of memory or an internal fault\n");
    return static_cast<int>(attache::cli::ExitCode::failed);
  }
}
