// SPDX-License-Identifier: Apache-2.0
#include "tap/tap.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include <attache/sdk/sha256.hpp>

#include "tap/process.hpp"
#include "tap/script.hpp"
#include "wire/dialect_match.hpp"
#include "wire/record_file.hpp"

namespace attache::conformance {
namespace {

constexpr unsigned longest_life_seconds = 900;
constexpr std::size_t longest_scanned_text = 64 * 1024;

/// Strings of a frame, without the values that carry an input's bytes.
void each_text(const Json& value, const Dialect::Impl& dialect,
               const std::function<void(const std::string&)>& on_text) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() <= longest_scanned_text) {
      on_text(text);
    }
    return;
  }
  if (!value.is_structured()) {
    return;
  }
  const BlockRule* rule = value.is_object() ? dialect.rule_of(value) : nullptr;
  if (rule != nullptr && rule->mode == input::Mode::native) {
    Json rest = value;
    if (json_at(rest, rule->data) != nullptr) {
      rest.at(Json::json_pointer(rule->data)) = nullptr;
    }
    for (const Json& member : rest) {
      each_text(member, dialect, on_text);
    }
    return;
  }
  for (const Json& member : value) {
    each_text(member, dialect, on_text);
  }
}

class Tap {
 public:
  Tap(const std::filesystem::path& home, const std::vector<std::string>& argv, const Dialect& dialect,
      const AnswerRule& answer)
      : dialect_(dialect.impl()),
        answer_(answer),
        record_(home / "records"),
        argv_(argv),
        variables_(dialect_, argv, std::filesystem::current_path().string()),
        references_([this](const ReferencedFile& file) {
          if (file.found_in == "environment" && !file.readable) {
            return;  // of the environment only files are recorded: any other value may be a credential
          }
          record_.event("file", Json{{"path", file.path},
                                     {"found_in", file.found_in},
                                     {"readable", file.readable},
                                     {"size", file.size},
                                     {"sha256", sdk::to_hex(file.sha256)}}
                                    .dump(-1, ' ', false, Json::error_handler_t::replace));
        }) {
    record_.start(Json{
        {"argv", argv},
        {"environment_names", environment_names()},
        {"working_directory", std::filesystem::current_path().string()},
        {"pid",
         own_pid()}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  int run() {
    if (const ProbeRule* probe = asked(); probe != nullptr) {
      write_all(1, probe->out);
      write_all(2, probe->err);
      const std::ofstream nothing_read(record_.body_file());
      record_.event("finished", Json{{"exit", probe->exit}}.dump());
      return probe->exit;
    }
    for (std::size_t i = 1; i < argv_.size(); ++i) {
      texts_.emplace_back("argv", argv_[i]);
    }
    for (std::string& value : environment_values()) {
      texts_.emplace_back("environment", std::move(value));
    }
    if (!answer_.open_late) {
      open_files();
    }
    StdinReader input(record_.body_file(), !has_deaf_start(), [this] { record_.event("stdin_eof"); });
    Script script({dialect_, variables_, record_, input, [this] { open_files(); }});
    script.run(answer_.start.get(), nullptr);
    while (auto arrived = input.next()) {
      turn(*arrived, script);
    }
    script.run(answer_.end.get(), nullptr);
    script.exit(0);
  }

 private:
  const ProbeRule* asked() const {
    for (const ProbeRule& probe : dialect_.probes) {
      if (std::equal(probe.argv.begin(), probe.argv.end(), argv_.begin() + 1, argv_.end())) {
        return &probe;
      }
    }
    return nullptr;
  }

  /// A script that begins by not reading must not have read a piece already.
  bool has_deaf_start() const {
    return std::any_of(answer_.start.get().begin(), answer_.start.get().end(),
                       [](const Json& step) { return step.contains("read") && step.at("read") == false; });
  }

  void turn(const ArrivedFrame& arrived, Script& script) {
    const Json frame = Json::parse(arrived.frame.json, nullptr, false);
    if (!frame.is_object()) {
      return;
    }
    if (turns_of(frame, dialect_).empty()) {
      reply(arrived, frame, script);
      return;
    }
    record_.event("turn", Json{{"begin", arrived.place.begin}, {"end", arrived.place.end}}.dump());
    each_text(frame, dialect_, [this](const std::string& text) { texts_.emplace_back("text", text); });
    if (!answer_.open_late) {
      open_files();
    }
    const EchoSource source{record_.body_file(), arrived.place, &frame};
    script.run(answer_.turn.get(), &source);
  }

  void reply(const ArrivedFrame& arrived, const Json& frame, Script& script) {
    for (const auto* rules : {&answer_.replies, &dialect_.replies}) {
      for (const ReplyRule& rule : *rules) {
        if (json_contains(frame, rule.frame.get())) {
          const EchoSource source{record_.body_file(), arrived.place, &frame};
          script.run(rule.steps.get(), &source);
          return;
        }
      }
    }
  }

  void open_files() {
    for (const auto& [found_in, text] : texts_) {
      references_.scan(text, found_in);
    }
    texts_.clear();
  }

  const Dialect::Impl& dialect_;
  const AnswerRule& answer_;
  RecordWriter record_;
  std::vector<std::string> argv_;
  Variables variables_;
  FileReferences references_;
  std::vector<std::pair<std::string, std::string>> texts_;  ///< still to be looked at: where found, text
};

}  // namespace

int run_tap(const std::filesystem::path& home, const std::vector<std::string>& argv) {
  limit_lifetime(longest_life_seconds);
  ignore_signal("PIPE");
  std::ifstream in(home / "tap.json", std::ios::binary);
  const Json config = Json::parse(in);
  const Dialect dialect = Dialect::load(home / (config.at("dialect").get<std::string>() + ".json"));
  const auto answer = dialect.impl().answers.find(config.at("scenario").get<std::string>());
  if (answer == dialect.impl().answers.end()) {
    throw std::runtime_error("the dialect has no such answer");
  }
  return Tap(home, argv, dialect, answer->second).run();
}

}  // namespace attache::conformance
