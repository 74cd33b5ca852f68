// SPDX-License-Identifier: Apache-2.0
// The scripts of a dialect: which steps there are and what each takes.

#include <nlohmann/json.hpp>

#include "wire/dialect_impl.hpp"

namespace attache::conformance {
namespace {

using Faults = std::vector<std::string>;

struct Context {
  const Dialect::Impl& dialect;
  Faults& faults;
};

/// Every "${name}" in a template must be a variable.
void check_template(const Json& value, const std::string& at, const Context& context) {
  if (value.is_structured()) {
    for (const auto& member : value.items()) {
      check_template(member.value(), at, context);
    }
    return;
  }
  if (!value.is_string()) {
    return;
  }
  const auto& text = value.get_ref<const std::string&>();
  for (std::size_t from = text.find("${"); from != std::string::npos; from = text.find("${", from + 2)) {
    const std::size_t end = text.find('}', from);
    const std::string name = text.substr(from + 2, end == std::string::npos ? end : end - from - 2);
    const bool built_in = name == "uuid" || name == "cwd" || name == "content" || name == "provider_version";
    if (end == std::string::npos || (!built_in && context.dialect.variables.count(name) == 0)) {
      context.faults.push_back(at + ": no variable \"" + name + "\"");
    }
  }
}

void check_frame(const Json& value, const std::string& at, const Context& context) {
  if (!value.is_object()) {
    context.faults.push_back(at + ": must be an object");
  }
  check_template(value, at, context);
}

void check_integer(const Json& value, const std::string& at, const Context& context) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > (1ull << 32u)) {
    context.faults.push_back(at + ": must be an integer from 0 to 4294967296");
  }
}

void check_text(const Json& value, const std::string& at, const Context& context) {
  if (!value.is_string()) {
    context.faults.push_back(at + ": must be a string");
  }
  check_template(value, at, context);
}

void check_true(const Json& value, const std::string& at, const Context& context) {
  if (value != true) {
    context.faults.push_back(at + ": must be true");
  }
}

void check_boolean(const Json& value, const std::string& at, const Context& context) {
  if (!value.is_boolean()) {
    context.faults.push_back(at + ": must be true or false");
  }
}

void check_echo(const Json& value, const std::string& at, const Context& context) {
  ObjectReader in(value, at, context.faults);
  const Json frame = in.object("frame", true);
  check_template(frame, at + "/frame", context);
  const std::string text = frame.dump();
  const std::size_t first = text.find("\"${content}\"");
  if (first == std::string::npos || text.find("\"${content}\"", first + 1) != std::string::npos) {
    in.fault("frame", "must have \"${content}\" as one value");
  }
  const Json each = in.object("each", false);
  for (const auto& form : each.items()) {
    const std::string written = form.value().dump();
    const std::size_t place = written.find("\"${value}\"");
    if (place == std::string::npos || written.find("\"${value}\"", place + 1) != std::string::npos) {
      in.fault("each/" + form.key(), "must have \"${value}\" as one value");
    }
  }
  const Json edit = in.any("edit");
  if (!edit.is_null()) {
    ObjectReader change(edit, at + "/edit", context.faults);
    change.word("blocks", {"first", "last", "all"}, true);
    const Json set = change.object("set", false);
    const Json replace = change.any("replace");
    const bool remove = change.flag("remove", false);
    if ((set.empty() ? 0 : 1) + (replace.is_null() ? 0 : 1) + (remove ? 1 : 0) != 1) {
      change.fault("set", "one of set, replace and remove must be given");
    }
    change.finish();
  }
  in.finish();
}

void check_wait(const Json& value, const std::string& at, const Context& context) {
  if (value != "stdin_eof") {
    context.faults.push_back(at + ": must be \"stdin_eof\"");
  }
}

void check_cut(const Json& value, const std::string& at, const Context& context) {
  ObjectReader in(value, at, context.faults);
  check_frame(in.object("frame", true), at + "/frame", context);
  if (!in.integer("bytes", 0, 1 << 20)) {
    in.fault("bytes", "is missing");
  }
  in.finish();
}

void check_flood(const Json& value, const std::string& at, const Context& context) {
  ObjectReader in(value, at, context.faults);
  if (!in.integer("bytes", 1, 1ll << 32)) {
    in.fault("bytes", "is missing");
  }
  in.word("to", {"stdout", "stderr"}, true);
  in.word("as", {"one_line", "lines"}, true);
  in.finish();
}

void check_signal(const Json& value, const std::string& at, const Context& context) {
  if (value != "KILL" && value != "TERM" && value != "SEGV" && value != "ABRT") {
    context.faults.push_back(at + ": must be one of KILL, TERM, SEGV, ABRT");
  }
}

void check_signals(const Json& value, const std::string& at, const Context& context) {
  if (!value.is_array()) {
    context.faults.push_back(at + ": must be an array");
    return;
  }
  for (const Json& one : value) {
    if (one != "TERM" && one != "INT" && one != "HUP" && one != "PIPE") {
      context.faults.push_back(at + ": each must be one of TERM, INT, HUP, PIPE");
    }
  }
}

void check_grandchild(const Json& value, const std::string& at, const Context& context) {
  ObjectReader in(value, at, context.faults);
  in.flag("holds_outputs", false);
  in.finish();
}

void check_response(const Json& value, const std::string& at, const Context& context) {
  ObjectReader in(value, at, context.faults);
  if (!in.integer("status", 200, 599)) {
    in.fault("status", "is missing");
  }
  const Json headers = in.object("headers", false);
  check_template(headers, at + "/headers", context);
  const Json body = in.any("json");
  const Json events = in.array("events", false);
  check_template(body, at + "/json", context);
  if (body.is_null() == events.empty()) {
    in.fault("json", "one of json and events must be given");
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    ObjectReader event(events[i], at + "/events/" + std::to_string(i), context.faults);
    event.text("event", false);
    check_template(event.any("data"), event.at() + "/data", context);
    event.finish();
  }
  in.integer("gap_ms", 0, 60000);
  in.integer("cut_bytes", 0, 1 << 20);
  in.finish();
}

void check_condition(const Json& value, const std::string& at, const Context& context) {
  ObjectReader in(value, at, context.faults);
  const std::string argument = in.text("argument", false);
  const Json frame = in.object("frame", false);
  if (argument.empty() && frame.empty()) {
    in.fault("frame", "argument or frame must be given");
  }
  in.finish();
}

struct StepKind {
  const char* name;
  void (*check)(const Json&, const std::string&, const Context&);
  bool process, http;
};

constexpr StepKind step_kinds[] = {
    {"frame", check_frame, true, false},
    {"echo", check_echo, true, false},
    {"stdout", check_text, true, false},
    {"stderr", check_text, true, false},
    {"flood", check_flood, true, false},
    {"wait", check_wait, true, false},
    {"delay_ms", check_integer, true, true},
    {"cut", check_cut, true, false},
    {"exit", check_integer, true, false},
    {"signal", check_signal, true, false},
    {"ignore_signals", check_signals, true, false},
    {"read", check_boolean, true, false},
    {"close_stdin", check_true, true, false},
    {"grandchild", check_grandchild, true, false},
    {"open_files", check_true, true, false},
    {"hang", check_true, true, true},
    {"response", check_response, false, true},
    {"close", check_true, false, true},
};

Json read_steps(ObjectReader& in, const char* name, const Context& context) {
  Json steps = in.array(name, false);
  const bool process = context.dialect.transport == "process";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string at = in.at() + "/" + name + "/" + std::to_string(i);
    int known = 0;
    if (!steps[i].is_object()) {
      context.faults.push_back(at + ": must be an object");
      continue;
    }
    for (const auto& member : steps[i].items()) {
      if (member.key() == "if") {
        check_condition(member.value(), at + "/if", context);
        continue;
      }
      const StepKind* kind = nullptr;
      for (const StepKind& one : step_kinds) {
        if (member.key() == one.name && (process ? one.process : one.http)) {
          kind = &one;
        }
      }
      if (kind == nullptr) {
        context.faults.push_back(at + "/" + member.key() + ": no such step for this transport");
        continue;
      }
      ++known;
      kind->check(member.value(), at + "/" + member.key(), context);
    }
    if (known != 1) {
      context.faults.push_back(at + ": must be exactly one step");
    }
  }
  return steps;
}

Expectation read_expectation(const Json& document, const std::string& at, Faults& faults) {
  ObjectReader in(document, at, faults);
  Expectation expect;
  expect.run = in.word("run", {"ok", "fails", "hangs"}, true);
  expect.text = in.text("text", false);
  expect.receipt = in.word("receipt", {"exact", "altered", "dropped", "unknown"}, false);
  expect.statuses = in.texts("statuses", false);
  expect.delivery = in.texts("delivery", false);
  in.finish();
  return expect;
}

}  // namespace

std::vector<ReplyRule> read_replies(const Json& list, const std::string& at, const Dialect::Impl& dialect,
                                    Faults& faults) {
  std::vector<ReplyRule> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    ObjectReader in(list[i], at + "/" + std::to_string(i), faults);
    ReplyRule rule;
    const Json frame = in.object("frame", true);
    if (frame.empty()) {
      in.fault("frame", "must name at least one member");
    }
    rule.frame.set(frame);
    rule.steps.set(read_steps(in, "steps", {dialect, faults}));
    in.finish();
    out.push_back(std::move(rule));
  }
  return out;
}

void read_answers(const Json& document, Dialect::Impl& into, Faults& faults) {
  const Context context{into, faults};
  for (const auto& answer : document.items()) {
    const std::string at = "/answers/" + answer.key();
    ObjectReader in(answer.value(), at, faults);
    Scenario scenario;
    scenario.name = answer.key();
    scenario.about = in.text("about", true);
    scenario.expect = read_expectation(in.object("expect", true), at + "/expect", faults);
    AnswerRule rule;
    rule.start.set(read_steps(in, "start", context));
    rule.turn.set(read_steps(in, "turn", context));
    rule.end.set(read_steps(in, "end", context));
    rule.replies = read_replies(in.array("replies", false), at + "/replies", into, faults);
    rule.open_late = in.flag("open_late", false);
    const bool more = !rule.start.get().empty() || !rule.end.get().empty() || !rule.replies.empty();
    if (into.transport == "http" && more) {
      in.fault("start", "http answers have a turn only");
    }
    in.finish();
    into.scenarios.push_back(std::move(scenario));
    into.answers.emplace(answer.key(), std::move(rule));
  }
  if (into.answers.count("ok") == 0) {
    faults.emplace_back("/answers/ok: is missing");
  }
}

}  // namespace attache::conformance
