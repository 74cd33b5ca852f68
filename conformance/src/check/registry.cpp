// SPDX-License-Identifier: Apache-2.0
#include "check/registry.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "check/registry_text.hpp"

namespace attache::conformance {
namespace {

constexpr std::array<std::string_view, 4> severities = {"must", "once_declared", "should", "info"};

bool well_formed_id(const std::string& id) {
  std::size_t dash = id.find('-');
  if (dash == std::string::npos || dash == 0 || id.size() != dash + 4) return false;
  for (std::size_t i = 0; i < id.size(); ++i) {
    auto c = static_cast<unsigned char>(id[i]);
    if (i < dash ? std::isupper(c) == 0 : i > dash && std::isdigit(c) == 0) return false;
  }
  return true;
}

class Faults {
 public:
  void add(const std::string& id, const std::string& text) { text_ += "\n" + id + ": " + text; }
  void raise() const {
    if (!text_.empty()) throw std::runtime_error("the registry of checks is faulty:" + text_);
  }

 private:
  std::string text_;
};

CheckEntry read_entry(const nlohmann::json& value, Faults& faults) {
  CheckEntry entry;
  entry.id = value.at("id");
  entry.slug = value.at("slug");
  entry.title = value.at("title");
  entry.rule = value.at("rule");
  entry.clause = value.at("clause");
  entry.since_minor = value.at("since_minor");
  entry.gate = value.value("gate", "");
  entry.dynamic = value.at("stage") == "dynamic";
  entry.coordinates = value.value("coordinates", "");
  entry.controls = value.value("controls", std::vector<std::string>{});
  entry.unproven = value.value("unproven", "");
  std::string severity = value.at("severity");
  auto known = std::find(severities.begin(), severities.end(), severity);
  if (known == severities.end()) faults.add(entry.id, "unknown severity");
  entry.severity = static_cast<Severity>(known - severities.begin());
  if (!well_formed_id(entry.id)) faults.add(entry.id, "an id is AREA-NNN");
  if (entry.controls.empty() == entry.unproven.empty()) faults.add(entry.id, "needs controls, or says why it has none");
  return entry;
}

bool glob_matches(std::string_view text, std::string_view glob) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') {
    return glob_matches(text, glob.substr(1)) || (!text.empty() && glob_matches(text.substr(1), glob));
  }
  return !text.empty() && (glob[0] == '?' || glob[0] == text[0]) && glob_matches(text.substr(1), glob.substr(1));
}

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  return severities[static_cast<std::size_t>(severity)];
}

Registry Registry::parse(std::string_view json) {
  Registry registry;
  Faults faults;
  std::set<std::string> seen;
  try {
    const nlohmann::json document = nlohmann::json::parse(json);
    for (const auto& value : document.at("checks")) {
      CheckEntry entry = read_entry(value, faults);
      if (!seen.insert(entry.id).second) faults.add(entry.id, "appears twice");
      registry.entries_.push_back(std::move(entry));
    }
  } catch (const nlohmann::json::exception& error) {
    faults.add("document", error.what());
  }
  faults.raise();
  return registry;
}

const Registry& Registry::built_in() {
  static const Registry registry = parse(registry_text());
  return registry;
}

std::size_t Registry::position(std::string_view id) const noexcept {
  std::size_t i = 0;
  while (i < entries_.size() && entries_[i].id != id) ++i;
  return i;
}

const CheckEntry* Registry::find(std::string_view id) const noexcept {
  std::size_t at = position(id);
  return at < entries_.size() ? &entries_[at] : nullptr;
}

bool matches(const CheckEntry& entry, std::string_view glob) {
  return glob_matches(entry.id, glob) || glob_matches(entry.full_name(), glob);
}

}  // namespace attache::conformance
