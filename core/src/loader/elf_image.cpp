// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "loader/elf_dynamic.hpp"
#include "loader/elf_format.hpp"

namespace attache::elf {
namespace {

static_assert(std::endian::native == std::endian::little, "the reader takes structures as they lie in the file");

constexpr std::uint16_t max_program_headers = 128;
constexpr std::uint64_t max_address_span = 1ULL << 32U;

#if defined(__x86_64__)
constexpr std::uint16_t own_machine = machine_x86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t own_machine = machine_aarch64;
#else
#error "no ELF machine known for this platform"
#endif

std::string_view machine_name(std::uint16_t machine) {
  if (machine == machine_x86_64) return "x86-64";
  if (machine == machine_aarch64) return "aarch64";
  return "another machine";
}

Refusal malformed(std::string text) {
  return {"malformed", std::move(text)};
}
Refusal truncated(std::string_view part) {
  return {"truncated", fmt::format("the file ends before its {}", part)};
}

std::optional<Refusal> check_header(const BoundedFile& file, FileHeader& header) {
  std::array<unsigned char, 4> magic{};
  if (file.size() < magic.size()) return Refusal{"too_small", "the file is too small to be a library"};
  if (!file.read(0, magic)) return truncated("header");
  if (std::memcmp(magic.data(),
                  "\x7f"
                  "ELF",
                  magic.size()) != 0) {
    return Refusal{"not_a_library", "the file is not an ELF library"};
  }
  if (file.size() < sizeof header) return Refusal{"too_small", "the file is too small to be a library"};
  std::array<unsigned char, sizeof header> bytes{};
  if (!file.read(0, bytes)) return truncated("header");
  std::memcpy(&header, bytes.data(), sizeof header);
  constexpr unsigned char class_64 = 2;
  constexpr unsigned char little_endian = 1;
  if (header.ident[4] != class_64 || header.ident[5] != little_endian) {
    return Refusal{"other_platform", "the library is not for a 64-bit little-endian machine"};
  }
  if (header.machine != own_machine) {
    return Refusal{"other_platform", fmt::format("the library is for {}, this host is {}", machine_name(header.machine),
                                                 machine_name(own_machine))};
  }
  if (header.type != type_shared) return Refusal{"not_a_library", "the ELF file is not a shared library"};
  if (header.ident[6] != 1 || header.version != 1) return malformed("the ELF version is not 1");
  return std::nullopt;
}

std::optional<Refusal> add_segment(const BoundedFile& file, const ProgramHeader& header, std::vector<Segment>& out) {
  Segment segment;
  segment.offset = header.offset;
  segment.address = header.address;
  segment.file_size = header.file_size;
  segment.memory_size = header.memory_size;
  segment.writable = (header.flags & flag_write) != 0;
  segment.executable = (header.flags & flag_execute) != 0;
  if (header.offset > file.size() || header.file_size > file.size() - header.offset) return truncated("last segment");
  if (header.memory_size < header.file_size) return malformed("a segment is smaller in memory than in the file");
  if (header.address > max_address_span || header.memory_size > max_address_span) {
    return malformed("a segment is larger than any library needs");
  }
  if (!out.empty() && header.address < out.back().address + out.back().memory_size) {
    return malformed("the segments are not in order");
  }
  out.push_back(segment);
  return std::nullopt;
}

}  // namespace

const DynamicSymbol* Image::defined(std::string_view name) const noexcept {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const DynamicSymbol& symbol) { return symbol.defined && symbol.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> Image::place(std::uint64_t address, std::uint64_t size) const noexcept {
  for (const Segment& segment : segments) {
    if (address < segment.address) continue;
    const std::uint64_t inside = address - segment.address;
    if (inside <= segment.file_size && size <= segment.file_size - inside) return segment.offset + inside;
  }
  return std::nullopt;
}

bool Image::read_only(std::uint64_t address, std::uint64_t size) const noexcept {
  const auto holds = [&](const Segment& segment) {
    return address >= segment.address && address - segment.address <= segment.memory_size &&
           size <= segment.memory_size - (address - segment.address);
  };
  if (read_only_after_start && holds(*read_only_after_start)) return true;
  return std::any_of(segments.begin(), segments.end(),
                     [&](const Segment& segment) { return !segment.writable && holds(segment); });
}

bool Image::executable(std::uint64_t address) const noexcept {
  return std::any_of(segments.begin(), segments.end(), [&](const Segment& segment) {
    return segment.executable && address >= segment.address && address - segment.address < segment.file_size;
  });
}

std::optional<Refusal> read_image(const BoundedFile& file, Image& out) {
  FileHeader header{};
  if (auto refusal = check_header(file, header)) return refusal;
  if (header.program_header_size != sizeof(ProgramHeader) || header.program_header_count == 0 ||
      header.program_header_count > max_program_headers) {
    return malformed("the program headers are not as in any library");
  }
  std::vector<unsigned char> bytes(sizeof(ProgramHeader) * header.program_header_count);
  if (!file.read(header.program_headers, bytes)) return truncated("program headers");
  std::optional<Segment> dynamic;
  for (std::size_t i = 0; i < header.program_header_count; ++i) {
    ProgramHeader program{};
    std::memcpy(&program, bytes.data() + i * sizeof program, sizeof program);
    if (program.type == segment_load) {
      if (auto refusal = add_segment(file, program, out.segments)) return refusal;
    } else if (program.type == segment_dynamic) {
      dynamic = Segment{program.offset, program.address, program.file_size, program.memory_size, false, false};
    } else if (program.type == segment_relro) {
      out.read_only_after_start =
          Segment{program.offset, program.address, program.file_size, program.memory_size, false, false};
    }
  }
  if (out.segments.empty() || !dynamic) return malformed("the library has no segments to load, or no dynamic section");
  if (dynamic->offset > file.size() || dynamic->file_size > file.size() - dynamic->offset) {
    return truncated("dynamic section");
  }
  if (out.place(dynamic->address, dynamic->file_size) != dynamic->offset) {
    return malformed("the dynamic section is in no segment");
  }
  return read_dynamic(file, *dynamic, out);
}

}  // namespace attache::elf
