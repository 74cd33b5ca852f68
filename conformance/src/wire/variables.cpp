// SPDX-License-Identifier: Apache-2.0
#include "wire/variables.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attache::conformance {

std::string fresh_uuid() {
  std::random_device device;
  std::uint32_t word[4];
  for (std::uint32_t& one : word) {
    one = device();
  }
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{:08x}", word[0], word[1] >> 16u, word[1] & 0xfffu,
                     0x8000u | (word[2] & 0x3fffu), word[2] >> 16u, word[3]);
}

Variables::Variables(const Dialect::Impl& dialect, std::vector<std::string> argv, std::string working_directory)
    : dialect_(dialect), argv_(std::move(argv)), working_directory_(std::move(working_directory)) {}

std::string Variables::value(const std::string& name, const Json* frame) {
  if (name == "uuid") {
    return fresh_uuid();
  }
  if (name == "cwd") {
    return working_directory_;
  }
  if (name == "provider_version") {
    return dialect_.provider_version;
  }
  if (const auto found = known_.find(name); found != known_.end()) {
    return found->second;
  }
  const VariableRule& rule = dialect_.variables.at(name);
  for (const std::string& flag : rule.arguments) {
    const auto at = std::find(argv_.begin(), argv_.end(), flag);
    if (at != argv_.end() && at + 1 != argv_.end()) {
      return known_[name] = *(at + 1);
    }
  }
  if (!rule.pointer.empty()) {
    const Json* found = frame == nullptr ? nullptr : json_at(*frame, rule.pointer);
    if (found != nullptr && found->is_string()) {
      return found->get<std::string>();
    }
    return fill_text(rule.otherwise, nullptr);
  }
  return known_[name] = fill_text(rule.otherwise, nullptr);
}

std::string Variables::fill_text(const std::string& text, const Json* frame) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", from)) {
    const std::size_t end = text.find('}', at);
    const std::string name = text.substr(at + 2, end - at - 2);
    out += text.substr(from, at - from);
    out += name == "content" ? "${content}" : value(name, frame);
    from = end + 1;
  }
  return out + text.substr(from);
}

/// What the frame has there, where a variable is the whole text and that is no text: a number stays one.
const Json* Variables::value_in_frame(const std::string& text, const Json* frame) const {
  if (frame == nullptr || text.size() < 4 || text.compare(0, 2, "${") != 0 || text.find('}') != text.size() - 1) {
    return nullptr;
  }
  const auto rule = dialect_.variables.find(text.substr(2, text.size() - 3));
  if (rule == dialect_.variables.end() || rule->second.pointer.empty()) {
    return nullptr;
  }
  const Json* found = json_at(*frame, rule->second.pointer);
  return found != nullptr && !found->is_string() ? found : nullptr;
}

Json Variables::fill(const Json& pattern, const Json* frame) {
  if (pattern.is_string()) {
    if (const Json* whole = value_in_frame(pattern.get_ref<const std::string&>(), frame); whole != nullptr) {
      return *whole;
    }
    return fill_text(pattern.get<std::string>(), frame);
  }
  Json out = pattern;
  if (out.is_structured()) {
    for (auto& member : out.items()) {
      member.value() = fill(member.value(), frame);
    }
  }
  return out;
}

bool Variables::holds(const Json& step, const Json* frame) const {
  const auto condition = step.find("if");
  if (condition == step.end()) {
    return true;
  }
  const std::string argument = condition->value("argument", "");
  if (!argument.empty() && std::find(argv_.begin(), argv_.end(), argument) == argv_.end()) {
    return false;
  }
  const auto wanted = condition->find("frame");
  return wanted == condition->end() || (frame != nullptr && json_contains(*frame, *wanted));
}

}  // namespace attache::conformance
