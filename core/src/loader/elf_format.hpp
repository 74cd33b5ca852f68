// SPDX-License-Identifier: Apache-2.0
// The parts of ELF64 that the reader needs, as they lie in a file (little endian).
#pragma once

#include <cstdint>

namespace attache::elf {

struct FileHeader {
  unsigned char ident[16];
  std::uint16_t type, machine;
  std::uint32_t version;
  std::uint64_t entry, program_headers, section_headers;
  std::uint32_t flags;
  std::uint16_t header_size, program_header_size, program_header_count, section_header_size, section_header_count,
      section_names;
};
static_assert(sizeof(FileHeader) == 64);

struct ProgramHeader {
  std::uint32_t type, flags;
  std::uint64_t offset, address, physical, file_size, memory_size, alignment;
};
static_assert(sizeof(ProgramHeader) == 56);

struct DynamicEntry {
  std::uint64_t tag, value;
};

struct Symbol {
  std::uint32_t name;
  unsigned char info, other;
  std::uint16_t section;
  std::uint64_t address, size;
};
static_assert(sizeof(Symbol) == 24);

inline constexpr std::uint16_t type_shared = 3;
inline constexpr std::uint16_t machine_x86_64 = 62;
inline constexpr std::uint16_t machine_aarch64 = 183;

inline constexpr std::uint32_t segment_load = 1;
inline constexpr std::uint32_t segment_dynamic = 2;
inline constexpr std::uint32_t segment_relro = 0x6474e552;
inline constexpr std::uint32_t flag_execute = 1;
inline constexpr std::uint32_t flag_write = 2;

inline constexpr std::uint64_t tag_end = 0;
inline constexpr std::uint64_t tag_needed = 1;
inline constexpr std::uint64_t tag_hash = 4;
inline constexpr std::uint64_t tag_strings = 5;
inline constexpr std::uint64_t tag_symbols = 6;
inline constexpr std::uint64_t tag_strings_size = 10;
inline constexpr std::uint64_t tag_symbol_size = 11;
inline constexpr std::uint64_t tag_rpath = 15;
inline constexpr std::uint64_t tag_runpath = 29;
inline constexpr std::uint64_t tag_gnu_hash = 0x6ffffef5;

inline constexpr unsigned bind_local = 0;
inline constexpr unsigned bind_unique = 10;
inline constexpr unsigned type_object = 1;
inline constexpr unsigned type_function = 2;

}  // namespace attache::elf
