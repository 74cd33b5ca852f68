// SPDX-License-Identifier: Apache-2.0
#include "wire/json_span.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "wire/file_stream.hpp"

namespace attache::conformance {
namespace {

class Scanner {
 public:
  explicit Scanner(const std::vector<std::string>& pointers) : wanted_(pointers.begin(), pointers.end()) {}

  void feed(std::string_view bytes, std::uint64_t at) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (in_string_ && !escaped_ && !is_key_) {
        i = std::min(bytes.find_first_of("\"\\", i), bytes.size());
        if (i == bytes.size()) {
          return;
        }
      }
      step(bytes[i], at + i);
    }
  }
  void finish(std::uint64_t at) {
    if (in_scalar_) {
      end_value(at);
    }
  }
  std::map<std::string, ByteRange> take() { return std::move(found_); }

 private:
  struct Level {
    bool array = false;
    std::size_t index = 0;
    std::string key;
  };

  void step(char c, std::uint64_t at) {
    if (in_string_) {
      string_step(c, at);
      return;
    }
    const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (in_scalar_) {
      if (!space && c != ',' && c != ']' && c != '}') {
        return;
      }
      in_scalar_ = false;
      end_value(at);
    }
    switch (c) {
      case '{':
      case '[':
        begin_value(at);
        levels_.push_back({c == '[', 0, {}});
        expect_key_ = c == '{';
        break;
      case '}':
      case ']':
        if (!levels_.empty()) {
          levels_.pop_back();
        }
        end_value(at + 1);
        break;
      case '"':
        in_string_ = true;
        is_key_ = expect_key_;
        if (is_key_) {
          levels_.back().key.clear();
        } else {
          begin_value(at);
        }
        break;
      case ',':
        if (!levels_.empty()) {
          ++levels_.back().index;
          expect_key_ = !levels_.back().array;
        }
        break;
      case ':':
        expect_key_ = false;
        break;
      default:
        if (!space) {
          begin_value(at);
          in_scalar_ = true;
        }
    }
  }

  void string_step(char c, std::uint64_t at) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
      return;
    } else if (c == '"') {
      in_string_ = false;
      if (is_key_) {
        is_key_ = false;
      } else {
        end_value(at + 1);
      }
      return;
    }
    if (is_key_ && levels_.back().key.size() < 256) {
      levels_.back().key.push_back(c);
    }
  }

  void begin_value(std::uint64_t at) {
    std::string pointer;
    for (const Level& level : levels_) {
      pointer += '/';
      if (level.array) {
        pointer += std::to_string(level.index);
        continue;
      }
      for (const char c : level.key) {
        pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      }
    }
    open_.push_back({wanted_.count(pointer) != 0 ? pointer : std::string("-"), at});
  }

  void end_value(std::uint64_t at) {
    in_scalar_ = false;
    if (open_.empty()) {
      return;
    }
    if (open_.back().first != "-") {
      found_[open_.back().first] = {open_.back().second, at};
    }
    open_.pop_back();
  }

  std::set<std::string> wanted_;
  std::map<std::string, ByteRange> found_;
  std::vector<Level> levels_;
  std::vector<std::pair<std::string, std::uint64_t>> open_;
  bool in_string_ = false;
  bool escaped_ = false;
  bool is_key_ = false;
  bool in_scalar_ = false;
  bool expect_key_ = false;
};

}  // namespace

std::map<std::string, ByteRange> json_spans(const std::filesystem::path& file, ByteRange range,
                                            const std::vector<std::string>& pointers) {
  Scanner scanner(pointers);
  FileStream in(file);
  in.read_range(range.begin, range.end, [&](std::string_view bytes, std::uint64_t at) {
    scanner.feed(bytes, at);
    return true;
  });
  scanner.finish(range.end);
  return scanner.take();
}

}  // namespace attache::conformance
