// SPDX-License-Identifier: Apache-2.0
#include "check/channel.hpp"

#include <nlohmann/json.hpp>

namespace attache::conformance {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Message read_message(const Json& document) {
  Message message;
  std::string type = document.at("type");
  if (type == "result") {
    message.type = Message::Type::result;
    message.result.id = document.at("id");
    message.result.coordinates = document.at("coordinates");
    message.result.outcome = outcome_from_string(std::string(document.at("outcome"))).value_or(Outcome::not_run);
    message.result.reason = document.at("reason");
    message.result.evidence = document.at("evidence").get<std::vector<std::string>>();
  } else if (type == "ended") {
    message.type = Message::Type::ended;
    message.how = document.at("how");
    message.value = document.at("value");
  } else {
    message.type = type == "begin"   ? Message::Type::begin
                   : type == "fault" ? Message::Type::fault
                                     : Message::Type::stage;
    message.text = document.at("text");
  }
  return message;
}

}  // namespace

std::string encode(const Message& message) {
  switch (message.type) {
    case Message::Type::begin:
      return dump({{"type", "begin"}, {"text", message.text}});
    case Message::Type::stage:
      return dump({{"type", "stage"}, {"text", message.text}});
    case Message::Type::fault:
      return dump({{"type", "fault"}, {"text", message.text}});
    case Message::Type::ended:
      return dump({{"type", "ended"}, {"how", message.how}, {"value", message.value}});
    case Message::Type::result:
      break;
  }
  return dump({{"type", "result"},
               {"id", message.result.id},
               {"coordinates", message.result.coordinates},
               {"outcome", std::string(to_string(message.result.outcome))},
               {"reason", message.result.reason},
               {"evidence", message.result.evidence}});
}

std::optional<Message> decode(std::string_view line) {
  Json document = Json::parse(line, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  try {
    return read_message(document);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace attache::conformance
