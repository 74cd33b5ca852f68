// SPDX-License-Identifier: Apache-2.0
#include "redact/input_windows.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <attache/sdk/base64.hpp>

#include "redact/path_forms.hpp"

namespace attache::redact {
namespace {

constexpr std::uint64_t factor = 0x100000001B3ULL;
constexpr std::uint64_t small_input = 64U << 10;
constexpr std::uint64_t widest_stride = 16U << 10;
constexpr std::size_t raw_length = 40;  ///< bytes behind one window: enough for each alignment
constexpr std::size_t searched = 4096;  ///< bytes looked at for a window that is not uniform

constexpr std::uint64_t power(std::size_t exponent) {
  std::uint64_t value = 1;
  for (std::size_t i = 0; i < exponent; ++i) {
    value *= factor;
  }
  return value;
}
constexpr std::uint64_t leaving = power(InputWindows::length - 1);

bool telling(std::string_view bytes) {
  std::bitset<256> seen;
  for (const char c : bytes) {
    seen.set(static_cast<unsigned char>(c));
  }
  return seen.count() >= 8;
}

bool printable(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

std::uint64_t stride_of(std::uint64_t size) {
  return size <= small_input ? InputWindows::length : std::max(size / 4096, std::min(widest_stride, size / 64));
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

bool continues(Form form, char c) noexcept {
  const bool digit = c >= '0' && c <= '9';
  switch (form) {
    case Form::base64:
      return digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '/' || c == '=' || c == '\\';
    case Form::hex:
      return digit || (c >= 'a' && c <= 'f');
    case Form::text:
      return c != '"' && c != '\n';
    case Form::binary:
      return true;
  }
  return false;
}

std::uint64_t InputWindows::hash(const char* bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < length; ++i) {
    value = value * factor + static_cast<unsigned char>(bytes[i]) + 1;
  }
  return value;
}

std::uint64_t InputWindows::roll(std::uint64_t hash, char out, char in) noexcept {
  const std::uint64_t without = hash - (static_cast<unsigned char>(out) + 1ULL) * leaving;
  return without * factor + static_cast<unsigned char>(in) + 1;
}

const InputWindows::Hit* InputWindows::find(std::uint64_t hash, const char* bytes) const {
  if (!filter_[filter_slot(hash)]) {
    return nullptr;
  }
  const auto [first, last] = table_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (std::memcmp(it->second.bytes.data(), bytes, length) == 0) {
      return &it->second.hit;
    }
  }
  return nullptr;
}

void InputWindows::add_window(std::string_view bytes, Form form) {
  if (bytes.size() < length) {
    return;
  }
  const std::uint64_t value = hash(bytes.data());
  if (find(value, bytes.data()) != nullptr || table_.count(value) >= most_alike) {
    return;
  }
  Window window{{}, {form, static_cast<std::uint32_t>(ids_.size() - 1)}};
  std::memcpy(window.bytes.data(), bytes.data(), length);
  table_.emplace(value, window);
  filter_[filter_slot(value)] = true;
}

void InputWindows::add_spellings(std::string_view raw) {
  const Form form = printable(raw) ? Form::text : Form::binary;
  add_window(raw.substr(0, length), form);
  if (form == Form::text) {
    for (const bool slash : {false, true}) {
      add_window(json_escaped(raw.substr(0, length), slash), form);
    }
  }
  for (std::size_t skip = 0; skip < 3 && skip + 24 <= raw.size(); ++skip) {
    add_window(sdk::base64_encode(raw.substr(skip, 24)), Form::base64);
  }
  add_window(hex(raw.substr(0, length / 2)), Form::hex);
}

void InputWindows::add(const GuardedInput& input) {
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(input.local_path, failed);
  std::ifstream file(input.local_path, std::ios::binary);
  if (failed || !file || size < length) {
    return;
  }
  ids_.push_back(input.id);
  const std::uint64_t stride = stride_of(size);
  std::string piece;
  for (std::uint64_t offset = 0; offset + length <= size; offset += stride) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>({stride + raw_length, searched, size - offset})));
    file.seekg(static_cast<std::streamoff>(offset));
    if (!file.read(piece.data(), static_cast<std::streamsize>(piece.size()))) {
      return;
    }
    const std::string_view view = piece;
    for (std::size_t at = 0; at + length <= view.size(); at += 8) {
      if (telling(view.substr(at, length))) {
        add_spellings(view.substr(at, raw_length));
        break;
      }
    }
  }
}

}  // namespace attache::redact
