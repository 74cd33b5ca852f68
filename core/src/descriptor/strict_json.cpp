// SPDX-License-Identifier: Apache-2.0
#include "descriptor/strict_json.hpp"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attache::json {
namespace {

using Json = nlohmann::ordered_json;

/// Walks a document before it is built: finds duplicate keys and too deep nesting, with their places.
class Checker final : public nlohmann::json_sax<Json> {
 public:
  explicit Checker(std::vector<DescriptorFault>& faults) : faults_(faults) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (!level.seen.insert(name).second) faults_.push_back({pointer(), "the key appears twice"});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    faults_.push_back({"", fmt::format("not valid UTF-8 JSON at byte {}", position)});
    return false;
  }

 private:
  struct Level {
    bool array = false;
    std::size_t index = 0;
    std::string key;
    std::set<std::string> seen;
  };

  bool value() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  bool open(bool array) {
    if (levels_.size() == max_depth) {
      faults_.push_back({pointer(), fmt::format("nested deeper than {} levels", max_depth)});
      return false;
    }
    Level level;
    level.array = array;
    levels_.push_back(std::move(level));
    return true;
  }
  bool close() {
    levels_.pop_back();
    return value();
  }
  std::string pointer() const {
    std::string out;
    for (const Level& level : levels_) out = level.array ? child(out, level.index) : child(out, level.key);
    return out;
  }

  std::vector<DescriptorFault>& faults_;
  std::vector<Level> levels_;
};

}  // namespace

std::string child(std::string_view pointer, std::string_view key) {
  std::string out(pointer);
  out += '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string child(std::string_view pointer, std::size_t index) {
  return fmt::format("{}/{}", pointer, index);
}

bool parse_strict(std::string_view text, std::size_t max_bytes, Json& out, std::vector<DescriptorFault>& faults) {
  if (text.size() > max_bytes) {
    faults.push_back({"", fmt::format("{} bytes long, more than the {} allowed", text.size(), max_bytes)});
    return false;
  }
  if (text.substr(0, 3) == "\xef\xbb\xbf") {
    faults.push_back({"", "begins with a byte order mark"});
    return false;
  }
  const std::size_t before = faults.size();
  Checker checker(faults);
  Json::sax_parse(text, &checker);
  if (faults.size() != before) return false;
  out = Json::parse(text);
  return true;
}

}  // namespace attache::json
