// SPDX-License-Identifier: Apache-2.0
// One class a verb: it adds itself to the command line and runs after parsing.
#pragma once

#include <string>

#include "exit_codes.hpp"
#include "options.hpp"
#include "printer.hpp"

namespace attache::cli {

class DriversVerb {
 public:
  CLI::App* add_to(CLI::App& app);
  ExitCode run(Printer& printer) const;

 private:
  PlaceOptions places_;
  bool json_ = false, verbose_ = false, why_ = false;
};

class PlanVerb {
 public:
  CLI::App* add_to(CLI::App& app);
  bool json() const noexcept { return json_; }
  ExitCode run(Printer& printer) const;

 private:
  AgentArguments agent_;
  InputArguments inputs_;
  bool json_ = false;
};

class RunVerb {
 public:
  CLI::App* add_to(CLI::App& app);
  bool json() const noexcept { return json_; }
  ExitCode run(Printer& printer) const;

 private:
  AgentArguments agent_;
  InputArguments inputs_;
  std::string prompt_;
  double timeout_ = 0, idle_ = 0;
  bool json_ = false;
};

}  // namespace attache::cli
