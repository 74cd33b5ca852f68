// SPDX-License-Identifier: Apache-2.0
#include "wire/dialect.hpp"

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "wire/dialect_impl.hpp"
#include "wire/kit_paths.hpp"

namespace attache::conformance {

bool json_contains(const Json& value, const Json& pattern) {
  if (!pattern.is_object()) {
    return value == pattern;
  }
  if (!value.is_object()) {
    return false;
  }
  for (const auto& member : pattern.items()) {
    const auto found = value.find(member.key());
    if (found == value.end() || !json_contains(*found, member.value())) {
      return false;
    }
  }
  return true;
}

const Json* json_at(const Json& value, const std::string& pointer) {
  const Json::json_pointer at(pointer);
  try {
    return value.contains(at) ? &value.at(at) : nullptr;
  } catch (const Json::exception&) {
    return nullptr;
  }
}

std::optional<ReferenceText> read_reference(std::string_view text) {
  constexpr std::string_view begin = "[attache input ";
  const std::size_t number_end = text.find(": ");
  if (text.substr(0, begin.size()) != begin || number_end == std::string_view::npos || text.back() != ']') {
    return std::nullopt;
  }
  const std::string_view number = text.substr(begin.size(), number_end - begin.size());
  const std::string_view rest = text.substr(number_end + 2, text.size() - number_end - 3);
  const std::size_t kind_end = rest.find(' ');
  const std::size_t type_end = kind_end == std::string_view::npos ? kind_end : rest.find(' ', kind_end + 1);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos ||
      type_end == std::string_view::npos || type_end + 1 == rest.size()) {
    return std::nullopt;
  }
  return ReferenceText{std::string(rest.substr(0, kind_end)),
                       std::string(rest.substr(kind_end + 1, type_end - kind_end - 1)),
                       std::string(rest.substr(type_end + 1))};
}

namespace {

/// Core's own words are not linked into the tap.
std::string_view word(input::Kind kind) {
  switch (kind) {
    case input::Kind::image:
      return "image";
    case input::Kind::file:
      return "file";
    case input::Kind::audio:
      return "audio";
    case input::Kind::video:
      return "video";
  }
  return {};
}

/// A text is a reference by what it says, not by where it stands.
bool is_reference_where_due(const Json& block, const BlockRule& rule) {
  if (rule.encoding != "reference") {
    return true;
  }
  const Json* text = json_at(block, rule.data);
  const auto named = text != nullptr && text->is_string() ? read_reference(text->get_ref<const std::string&>())
                                                          : std::optional<ReferenceText>();
  return named && named->kind == word(rule.kind);
}

}  // namespace

const BlockRule* Dialect::Impl::rule_of(const Json& block) const {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (json_contains(block, block_matches[i].get()) && is_reference_where_due(block, blocks[i])) {
      return &blocks[i];
    }
  }
  return nullptr;
}

Dialect Dialect::load(const std::filesystem::path& file) {
  constexpr std::uintmax_t most = 1u << 20u;
  std::error_code ignored;
  const std::string name = file.filename().string();
  if (std::filesystem::file_size(file, ignored) > most || ignored) {
    throw std::runtime_error("dialect " + name + ": no readable file of at most 1 MiB");
  }
  std::ifstream in(file, std::ios::binary);
  Json document;
  try {
    document = Json::parse(in);
  } catch (const Json::exception& error) {
    throw std::runtime_error("dialect " + name + ": " + error.what());
  }
  auto impl = std::make_shared<Impl>();
  impl->file = file;
  std::vector<std::string> faults;
  read_dialect(document, *impl, faults);
  if (!faults.empty()) {
    std::string text = "dialect " + name + ":";
    for (const std::string& fault : faults) {
      text += "\n  " + fault;
    }
    throw std::runtime_error(text);
  }
  Dialect dialect;
  dialect.impl_ = std::move(impl);
  return dialect;
}

Dialect Dialect::find(std::string_view id, const std::filesystem::path& beside) {
  const std::string name(id);
  if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos ||
      name[0] == '.') {
    throw std::runtime_error("no dialect can be called \"" + name + "\"");
  }
  std::error_code ignored;
  for (const std::filesystem::path& directory : {beside, kit_dialects()}) {
    const std::filesystem::path file = directory / (name + ".json");
    if (!directory.empty() && std::filesystem::exists(file, ignored)) {
      return load(file);
    }
  }
  throw std::runtime_error("there is no dialect \"" + name + "\", neither beside the plugin nor in the kit");
}

const std::string& Dialect::id() const noexcept {
  return impl_->id;
}
const std::string& Dialect::version() const noexcept {
  return impl_->version;
}
const std::string& Dialect::provider_version() const noexcept {
  return impl_->provider_version;
}
const std::string& Dialect::transport() const noexcept {
  return impl_->transport;
}
const std::string& Dialect::command() const noexcept {
  return impl_->command;
}
const std::vector<BlockRule>& Dialect::blocks() const noexcept {
  return impl_->blocks;
}
bool Dialect::has_replies() const noexcept {
  return !impl_->replies.empty();
}
BlockOrder Dialect::order() const noexcept {
  return impl_->order;
}
const std::vector<Scenario>& Dialect::scenarios() const noexcept {
  return impl_->scenarios;
}
const std::filesystem::path& Dialect::file() const noexcept {
  return impl_->file;
}

const RealProvider* Dialect::real() const noexcept {
  return impl_->real ? &*impl_->real : nullptr;
}

const Scenario* Dialect::scenario(std::string_view name) const noexcept {
  for (const Scenario& scenario : impl_->scenarios) {
    if (scenario.name == name) {
      return &scenario;
    }
  }
  return nullptr;
}

}  // namespace attache::conformance
