// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <attache/sdk/base64.hpp>

#include "wire/capture.hpp"
#include "wire/file_stream.hpp"

namespace attache::conformance {
namespace {

struct Pattern {
  std::string form, bytes;
};

std::string hex(std::string_view bytes, std::string_view digits) {
  std::string out;
  for (const char c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    out.push_back(digits[value >> 4u]);
    out.push_back(digits[value & 15u]);
  }
  return out;
}

/// The characters of base64 text that depend on `mark` alone when `before` bytes of its group come first.
std::string base64_core(const std::string& mark, std::size_t before) {
  const std::string encoded = sdk::base64_encode(std::string(before, '\0') + mark);
  const std::size_t first = (before * 8 + 5) / 6;
  return encoded.substr(first, (before + mark.size()) * 8 / 6 - first);
}

std::vector<Pattern> patterns(const std::string& mark) {
  std::vector<Pattern> list{{"raw", mark}};
  for (std::size_t before = 0; before < 3; ++before) {
    std::string core = base64_core(mark, before);
    list.push_back({"base64/" + std::to_string(before), core});
    for (char& c : core) {
      c = c == '+' ? '-' : c == '/' ? '_' : c;
    }
    if (core != list.back().bytes) {
      list.push_back({"base64url/" + std::to_string(before), core});
    }
  }
  list.push_back({"hex", hex(mark, "0123456789abcdef")});
  list.push_back({"HEX", hex(mark, "0123456789ABCDEF")});
  if (list.back().bytes == list[list.size() - 2].bytes) {
    list.pop_back();
  }
  return list;
}

}  // namespace

std::vector<MarkHit> find_mark(const std::filesystem::path& file, const std::string& mark) {
  constexpr std::size_t most_hits = 10000;
  std::vector<MarkHit> hits;
  if (mark.empty()) {
    return hits;
  }
  const std::vector<Pattern> list = patterns(mark);
  std::size_t longest = 0;
  for (const Pattern& pattern : list) {
    longest = std::max(longest, pattern.bytes.size());
  }
  std::string window;  // what was read, and before it the end of what was searched already
  FileStream in(file);
  in.read_range(0, FileStream::to_end, [&](std::string_view bytes, std::uint64_t at) {
    const std::size_t kept = window.size();
    window += bytes;
    for (const Pattern& pattern : list) {
      // A hit that lay wholly in the kept part was counted before.
      std::size_t from = kept >= pattern.bytes.size() ? kept - pattern.bytes.size() + 1 : 0;
      while ((from = window.find(pattern.bytes, from)) != std::string::npos && hits.size() < most_hits) {
        hits.push_back({pattern.form, at - kept + from});
        ++from;
      }
    }
    window.erase(0, window.size() - std::min(window.size(), longest - 1));
    return hits.size() < most_hits;
  });
  return hits;
}

}  // namespace attache::conformance
