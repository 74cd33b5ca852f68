// SPDX-License-Identifier: Apache-2.0
// What a dialect file says, for the parts of the kit that follow it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wire/dialect.hpp"
#include "wire/json_box.hpp"

namespace attache::conformance {

/// True when `value` has every member of `pattern`, recursively; arrays and scalars must be equal.
bool json_contains(const Json& value, const Json& pattern);
/// The value at a pointer that was checked when the dialect was read, or nullptr.
const Json* json_at(const Json& value, const std::string& pointer);

/// Where a frame holds a turn's content.
struct TurnRule {
  JsonBox frame;         ///< a frame with these members carries a turn
  std::string messages;  ///< pointer to a list of messages, or empty: the frame is the message
  JsonBox message;
  bool last_only = false;  ///< of the matching messages only the last is this call's
  std::string content;     ///< pointer in the message
};

struct ProbeRule {
  std::vector<std::string> argv;  ///< the whole argument list
  std::string out, err;
  int exit = 0;
};

struct RequestRule {
  std::string method, path;  ///< path without query; "*": any
  bool turn = false;
  int status = 200;
  JsonBox body;  ///< of the fixed answer
};

struct VariableRule {
  std::vector<std::string> arguments;  ///< flags whose value is taken
  std::string pointer;                 ///< else the value in the turn's frame
  std::string otherwise;               ///< else this
};

/// What a process says to a frame that is no turn.
struct ReplyRule {
  JsonBox frame;  ///< a frame with these members gets it
  JsonBox steps;
};

struct AnswerRule {
  JsonBox start, turn, end;        ///< arrays of steps
  std::vector<ReplyRule> replies;  ///< looked at before the dialect's own
  bool open_late = false;
};

/// The text block that stands for a workspace reference: "[attache input N: kind type path]".
struct ReferenceText {
  std::string kind, media_type, path;
};
std::optional<ReferenceText> read_reference(std::string_view text);

struct Dialect::Impl {
  std::filesystem::path file;
  std::string id, version, provider_version, transport, command;
  TurnRule turn;
  JsonBox text;
  std::string text_data;
  std::vector<BlockRule> blocks;
  std::vector<JsonBox> block_matches;  ///< beside `blocks`
  BlockOrder order = BlockOrder::any;
  std::vector<ProbeRule> probes;
  std::vector<RequestRule> requests;
  std::map<std::string, VariableRule> variables;
  std::vector<ReplyRule> replies;
  std::vector<Scenario> scenarios;
  std::map<std::string, AnswerRule> answers;
  std::optional<RealProvider> real;

  /// The rule a block follows, or nullptr.
  const BlockRule* rule_of(const Json& block) const;
};

/// Reads one dialect document; every fault goes to `faults` as "<pointer>: <what>".
void read_dialect(const Json& document, Dialect::Impl& into, std::vector<std::string>& faults);
void read_answers(const Json& document, Dialect::Impl& into, std::vector<std::string>& faults);
std::vector<ReplyRule> read_replies(const Json& list, const std::string& at, const Dialect::Impl& dialect,
                                    std::vector<std::string>& faults);

/// Members of an object as they are taken out of it; what is left over, missing or of the wrong type is a fault.
class ObjectReader {
 public:
  ObjectReader(Json value, std::string pointer, std::vector<std::string>& faults);
  std::string text(const char* name, bool required);
  std::string pointer_text(const char* name, bool required);  ///< a JSON pointer
  std::string word(const char* name, const std::vector<std::string>& words, bool required);
  std::vector<std::string> texts(const char* name, bool required);
  std::optional<std::int64_t> integer(const char* name, std::int64_t least, std::int64_t most);
  bool flag(const char* name, bool otherwise);
  Json object(const char* name, bool required);
  Json array(const char* name, bool required);
  Json any(const char* name);
  void fault(const std::string& member, const std::string& what);
  const std::string& at() const { return pointer_; }
  /// Members nobody asked for are faults.
  void finish();

 private:
  const Json* take(const char* name, bool required);
  JsonBox value_;
  std::string pointer_;
  std::vector<std::string>& faults_;
  std::vector<std::string> taken_;
};

}  // namespace attache::conformance
