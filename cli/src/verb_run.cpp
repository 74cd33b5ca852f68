// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <iostream>
#include <iterator>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "event_lines.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "result_json.hpp"
#include "verbs.hpp"

namespace attache::cli {
namespace {

std::string prompt_text(const std::string& given) {
  if (given != "-") {
    return given;
  }
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

// Takes events until the run ends or nobody reads them.
class Show {
 public:
  Show(Printer& printer, Progress& progress, bool json) : printer_(printer), progress_(progress), json_(json) {}

  void event(const Event& event) {
    if (json_) {
      progress_.done();
      printer_.json(event_json(event));
      return;
    }
    if (const auto* text = std::get_if<TextDelta>(&event.body)) {
      progress_.done();
      any_text_ = any_text_ || !text->text.empty();
      printer_.answer(text->text);
    } else if (const std::string line = event_line(event); !line.empty()) {
      printer_.note(line);
    }
  }

  void result(const Result& result) {
    progress_.done();
    if (json_) {
      printer_.json(result_json(result));
      return;
    }
    if (!any_text_) {
      printer_.answer(result.text);
    }
    printer_.end_answer();
  }

 private:
  Printer& printer_;
  Progress& progress_;
  const bool json_;
  bool any_text_ = false;
};

}  // namespace

CLI::App* RunVerb::add_to(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("run", "Run one prompt with its inputs and print the answer as it comes");
  agent_.add_to(*verb);
  inputs_.add_to(*verb);
  const CLI::Range seconds(0.0, 1e9);
  verb->add_option("--timeout", timeout_, "Give up after this many seconds")->type_name("S")->check(seconds);
  verb->add_option("--idle", idle_, "Give up after this many seconds without a byte")->type_name("S")->check(seconds);
  verb->add_flag("--json", json_, "One JSON event a line; the last line is the result or the error");
  verb->add_option("prompt", prompt_, "The prompt; - reads it from standard input; after -- it may begin with a dash")
      ->required();
  return verb;
}

ExitCode RunVerb::run(Printer& printer) const {
  const std::vector<input::Input> inputs = inputs_.inputs();
  const std::string prompt = prompt_text(prompt_);
  const Interrupt interrupt;
  Agent agent = agent_.make_agent();
  Progress progress(printer, inputs.size(), inputs_.bytes());
  Show show(printer, progress, json_);
  Stream stream = agent.stream(prompt, with_inputs(inputs), with_deadline(milliseconds(timeout_)),
                               with_idle_limit(milliseconds(idle_)), with_stop_token(interrupt.token()));
  for (const Event& event : stream) {
    show.event(event);
    if (printer.reader_gone()) {
      stream.cancel();
      break;
    }
  }
  show.result(stream.result());
  return ExitCode::ok;
}

}  // namespace attache::cli
