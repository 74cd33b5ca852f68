// SPDX-License-Identifier: Apache-2.0
#include "schema_check.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace attache::conformance {
namespace {

using nlohmann::json;

const std::set<std::string> known = {"$schema", "$id",   "title",      "description", "$defs",
                                     "$ref",    "type",  "properties", "required",    "items",
                                     "enum",    "const", "pattern",    "minimum",     "additionalProperties"};

class Validator {
 public:
  explicit Validator(const json& root) : root_(root) {}

  void check(const json& schema, const json& value, const std::string& at) {
    for (const auto& [key, unused] : schema.items()) {
      if (!known.contains(key)) throw std::logic_error("the schema uses " + key);
    }
    if (schema.contains("$ref")) {
      return check(root_.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1))), value, at);
    }
    if (schema.contains("type") && !is(schema["type"], value))
      return fault(at, "is not of type " + schema["type"].dump());
    if (schema.contains("const") && value != schema["const"]) fault(at, "is not the constant");
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
      fault(at, "is not one of the words");
    }
    if (schema.contains("pattern") &&
        !std::regex_match(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>()))) {
      fault(at, "does not match");
    }
    if (schema.contains("minimum") && value < schema["minimum"]) fault(at, "is too small");
    if (value.is_object()) object(schema, value, at);
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) check(schema["items"], value[i], at + "/" + std::to_string(i));
    }
  }
  std::vector<std::string> faults;

 private:
  static bool is(const std::string& type, const json& value) {
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "integer" && value.is_number_integer()) ||
           (type == "number" && value.is_number());
  }
  void object(const json& schema, const json& value, const std::string& at) {
    for (const auto& name : schema.value("required", json::array())) {
      if (!value.contains(name.get<std::string>())) fault(at, "lacks " + name.get<std::string>());
    }
    const json properties = schema.value("properties", json::object());
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) {
        check(properties[name], member, at + "/" + name);
      } else if (schema.value("additionalProperties", json(true)) == false) {
        fault(at, "has " + name + " too many");
      }
    }
  }
  void fault(const std::string& at, const std::string& text) { faults.push_back(at + " " + text); }
  const json& root_;
};

}  // namespace

std::vector<std::string> validate(const json& schema, const json& document) {
  Validator validator(schema);
  validator.check(schema, document, "");
  return validator.faults;
}

}  // namespace attache::conformance
