// SPDX-License-Identifier: Apache-2.0
// A shared library read as data. Nothing of it is mapped; every place is checked against the size of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/bounded_file.hpp"

namespace attache::elf {

/// Why a file is not a library that can be read. `reason` is one of those of FileReport.
struct Refusal {
  std::string reason, text;
};

struct DynamicSymbol {
  std::string name;
  std::uint64_t address = 0, size = 0;
  bool defined = false, unique = false, object = false, function = false;
};

struct Segment {
  std::uint64_t offset = 0, address = 0, file_size = 0, memory_size = 0;
  bool writable = false, executable = false;
};

struct Image {
  std::vector<Segment> segments;                 ///< PT_LOAD, in order of address
  std::optional<Segment> read_only_after_start;  ///< PT_GNU_RELRO
  std::vector<DynamicSymbol> symbols;            ///< the dynamic ones, local ones left out
  std::vector<std::string> needed, run_paths;

  const DynamicSymbol* defined(std::string_view name) const noexcept;
  /// The place in the file of a range of addresses, when all of it is in one segment and in the file.
  std::optional<std::uint64_t> place(std::uint64_t address, std::uint64_t size) const noexcept;
  bool read_only(std::uint64_t address, std::uint64_t size) const noexcept;
  bool executable(std::uint64_t address) const noexcept;
};

/// Reads the image. Needs no section headers. Bounded: at most 65,536 symbols and 16 MiB of names.
std::optional<Refusal> read_image(const BoundedFile& file, Image& out);

}  // namespace attache::elf
