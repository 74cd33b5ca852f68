// SPDX-License-Identifier: Apache-2.0
// Reading what a driver passes by pointer: structs of another size, spans, function tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <attache/sdk/spi.h>

namespace attache::spi {

/// Longest text of one event or error that core takes. Longer is a contract violation.
inline constexpr std::uint64_t max_span = 16ULL << 20;

/// Copies a sized struct, zero-filling what the driver's version of it did not have. False: null, or too short
/// to hold `least` bytes.
template <class Struct>
bool read_struct(const Struct* from, std::size_t least, Struct& to) noexcept {
  to = Struct{};
  if (from == nullptr || from->struct_size < least) {
    return false;
  }
  const std::uint64_t size = from->struct_size < sizeof(Struct) ? from->struct_size : sizeof(Struct);
  std::memcpy(static_cast<void*>(&to), from, static_cast<std::size_t>(size));
  return true;
}

/// False: a null pointer with a size, or longer than max_span.
inline bool well_formed(const attache_span& span) noexcept {
  return span.size <= max_span && (span.data != nullptr || span.size == 0);
}

inline std::string_view view(const attache_span& span) noexcept {
  return span.data == nullptr ? std::string_view{} : std::string_view{span.data, static_cast<std::size_t>(span.size)};
}

inline attache_span span_of(std::string_view text) noexcept {
  return text.empty() ? attache_span{nullptr, 0} : attache_span{text.data(), text.size()};
}

/// A function of a driver's table; null when it is not provided or beyond the table's size.
template <class Function>
Function driver_function(const attache_driver& table, Function attache_driver::*member) noexcept {
  static constexpr attache_driver probe{};
  const auto offset =
      static_cast<std::size_t>(reinterpret_cast<const char*>(&(probe.*member)) - reinterpret_cast<const char*>(&probe));
  return offset + sizeof(Function) <= table.struct_size ? table.*member : nullptr;
}

}  // namespace attache::spi
