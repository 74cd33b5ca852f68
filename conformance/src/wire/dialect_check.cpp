// SPDX-License-Identifier: Apache-2.0
// From the document to the rules, with every fault by its pointer.

#include <nlohmann/json.hpp>

#include "wire/dialect_impl.hpp"

namespace attache::conformance {
namespace {

using Faults = std::vector<std::string>;

const std::vector<std::string> kinds{"image", "file", "audio", "video"};
const std::vector<std::string> modes{"native", "workspace_reference", "provider_url"};
const std::vector<std::string> encodings{"base64", "data_url", "text", "path", "reference", "url"};

/// The position of `word` counted from 1, as the enumerations of inputs count.
template <class Enum>
Enum enum_of(const std::vector<std::string>& words, const std::string& word) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) {
      return static_cast<Enum>(i + 1);
    }
  }
  return {};
}

std::string dated_source(ObjectReader& in) {
  const std::string source = in.text("source", true);
  const std::string date = in.text("date", true);
  const bool shaped = date.size() == 10 && date[4] == '-' && date[7] == '-' &&
                      date.find_first_not_of("0123456789-") == std::string::npos;
  if (!date.empty() && !shaped) {
    in.fault("date", "must be a date, YYYY-MM-DD");
  }
  return source + " (" + date + ")";
}

void read_turn(const Json& document, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, "/turn", faults);
  into.turn.frame.set(in.object("frame", true));
  into.turn.content = in.pointer_text("content", true);
  const Json messages = in.any("messages");
  if (!messages.is_null()) {
    ObjectReader list(messages, "/turn/messages", faults);
    into.turn.messages = list.pointer_text("at", true);
    into.turn.message.set(list.object("match", true));
    into.turn.last_only = list.word("take", {"last", "all"}, true) == "last";
    list.finish();
  }
  in.finish();
}

void read_block(const Json& document, const std::string& at, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, at, faults);
  BlockRule rule;
  rule.name = in.text("name", true);
  rule.kind = enum_of<input::Kind>(kinds, in.word("kind", kinds, true));
  rule.mode = enum_of<input::Mode>(modes, in.word("mode", modes, true));
  const Json match = in.object("match", true);
  if (match.empty()) {
    in.fault("match", "must name at least one member");
  }
  rule.match_json = match.dump();
  rule.data = in.pointer_text("data", true);
  rule.encoding = in.word("encoding", encodings, true);
  rule.media_type = in.pointer_text("media_type", false);
  rule.label = in.pointer_text("label", false);
  rule.media_types = in.texts("media_types", true);
  rule.source = dated_source(in);
  const bool by_place = rule.encoding == "path" || rule.encoding == "reference" || rule.encoding == "url";
  if (rule.mode == input::Mode::native && by_place) {
    in.fault("encoding", "a native block carries the bytes: base64, data_url or text");
  }
  if (rule.mode == input::Mode::provider_url && rule.encoding != "url" && !rule.encoding.empty()) {
    in.fault("encoding", "must be url for provider_url");
  }
  const bool named = rule.encoding == "path" || rule.encoding == "reference" || rule.encoding.empty();
  if (rule.mode == input::Mode::workspace_reference && !named) {
    in.fault("encoding", "must be path or reference for workspace_reference");
  }
  if (rule.encoding == "base64" && rule.media_type.empty()) {
    in.fault("media_type", "is missing: base64 does not say it");
  }
  for (const BlockRule& earlier : into.blocks) {
    if (earlier.name == rule.name) {
      in.fault("name", "is used twice");
    }
  }
  in.finish();
  into.block_matches.push_back(JsonBox(match));
  into.blocks.push_back(std::move(rule));
}

void read_order(const Json& document, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, "/order", faults);
  const std::string inputs = in.word("inputs", {"after_text", "before_text", "any"}, true);
  into.order = inputs == "after_text"    ? BlockOrder::after_text
               : inputs == "before_text" ? BlockOrder::before_text
                                         : BlockOrder::any;
  dated_source(in);
  in.finish();
}

void read_probe(const Json& document, const std::string& at, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, at, faults);
  ProbeRule rule;
  rule.argv = in.texts("argv", true);
  rule.out = in.text("stdout", false);
  rule.err = in.text("stderr", false);
  rule.exit = static_cast<int>(in.integer("exit", 0, 255).value_or(0));
  in.finish();
  into.probes.push_back(std::move(rule));
}

void read_request(const Json& document, const std::string& at, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, at, faults);
  RequestRule rule;
  rule.method = in.text("method", true);
  rule.path = in.text("path", true);
  rule.turn = in.flag("turn", false);
  rule.status = static_cast<int>(in.integer("status", 200, 599).value_or(200));
  rule.body.set(in.any("json"));
  in.finish();
  into.requests.push_back(std::move(rule));
}

void read_fact(const Json& document, const std::string& at, Faults& faults) {
  ObjectReader in(document, at, faults);
  in.text("about", true);
  dated_source(in);
  in.finish();
}

/// Every "${name}" in a document is one that the kit fills in for a real provider.
void check_real_names(const Json& value, const std::string& at, Faults& faults) {
  if (value.is_structured()) {
    for (const auto& member : value.items()) {
      check_real_names(member.value(), at, faults);
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
    if (name != "base_url" && name != "key" && name != "home" && name != "state") {
      faults.push_back(at + ": no \"" + name + "\" is known of a real provider");
    }
  }
}

void read_real(const Json& document, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, "/real", faults);
  RealProvider real;
  real.recorder = in.text("recorder", true);
  real.key = in.text("key", true);
  if (!real.key.empty() && real.key.find("${token}") == std::string::npos) {
    in.fault("key", "must hold ${token}: a key of one run only");
  }
  real.version = in.texts("version", true);
  const Json config = in.object("config", true);
  check_real_names(config, "/real/config", faults);
  if (config.dump().find("${base_url}") == std::string::npos) {
    in.fault("config", "must lead the provider to ${base_url}");
  }
  real.config_json = config.dump();
  const Json files = in.object("files", false);
  for (const auto& file : files.items()) {
    if (file.key().empty() || file.key()[0] == '.' || file.key().find('/') != std::string::npos) {
      in.fault("files/" + file.key(), "must be a file name");
    }
    check_real_names(file.value(), "/real/files/" + file.key(), faults);
    real.files.emplace_back(file.key(), file.value().dump());
  }
  dated_source(in);
  in.finish();
  into.real = std::move(real);
}

template <class Read>
void each(const Json& list, const std::string& at, const Read& read) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    read(list[i], at + "/" + std::to_string(i));
  }
}

}  // namespace

void read_dialect(const Json& document, Dialect::Impl& into, Faults& faults) {
  ObjectReader in(document, "", faults);
  in.any("$schema");
  if (in.integer("schema", 1, 1) != 1) {
    in.fault("schema", "must be 1");
  }
  into.id = in.text("id", true);
  if (into.id + ".json" != into.file.filename().string() && !into.id.empty()) {
    in.fault("id", "must be the file's name without .json");
  }
  into.version = in.text("version", true);
  in.text("title", true);
  ObjectReader provider(in.object("provider", true), "/provider", faults);
  provider.text("name", true);
  into.provider_version = provider.text("version", false);
  provider.finish();
  into.transport = in.word("transport", {"process", "http"}, true);
  const bool process = into.transport == "process";
  into.command = in.text("command", process);
  if (into.command.find('/') != std::string::npos) {
    in.fault("command", "must be a file name");
  }
  each(in.array("facts", true), "/facts",
       [&](const Json& fact, const std::string& at) { read_fact(fact, at, faults); });
  read_turn(in.object("turn", true), into, faults);
  ObjectReader text(in.object("text", true), "/text", faults);
  into.text.set(text.object("match", true));
  into.text_data = text.pointer_text("data", true);
  text.finish();
  each(in.array("blocks", true), "/blocks",
       [&](const Json& block, const std::string& at) { read_block(block, at, into, faults); });
  read_order(in.object("order", true), into, faults);
  each(in.array("probes", false), "/probes",
       [&](const Json& probe, const std::string& at) { read_probe(probe, at, into, faults); });
  each(in.array("requests", !process), "/requests",
       [&](const Json& request, const std::string& at) { read_request(request, at, into, faults); });
  const Json variables = in.object("variables", false);
  for (const auto& variable : variables.items()) {
    ObjectReader one(variable.value(), "/variables/" + variable.key(), faults);
    VariableRule rule;
    rule.arguments = one.texts("arguments", false);
    rule.pointer = one.pointer_text("pointer", false);
    rule.otherwise = one.text("default", false);
    one.finish();
    into.variables.emplace(variable.key(), std::move(rule));
  }
  into.replies = read_replies(in.array("replies", false), "/replies", into, faults);
  read_answers(in.object("answers", true), into, faults);
  if (const Json real = in.object("real", false); !real.empty()) {
    if (process) {
      read_real(real, into, faults);
    } else {
      in.fault("real", "is for transport process");
    }
  }
  in.finish();
}

}  // namespace attache::conformance
