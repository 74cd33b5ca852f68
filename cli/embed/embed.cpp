// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <attache/descriptor.hpp>
#include <attache/sdk/spi.h>

#include "verbs.hpp"

namespace embed {
namespace {

constexpr std::size_t bytes_per_line = 24;

void append_word(std::string& out, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>((value >> shift) & 0xffU);
}

/// One array of bytes, as a driver in C or C++ declares it: header and document are one object to the linker.
std::string c_source(std::string_view document) {
  std::string object(ATTACHE_DESCRIPTOR_MAGIC, 8);
  append_word(object, ATTACHE_DESCRIPTOR_SCHEMA);
  append_word(object, static_cast<std::uint32_t>(document.size()));
  object += document;
  std::string bytes;
  for (std::size_t i = 0; i < object.size(); ++i) {
    bytes += fmt::format("{}{},", i % bytes_per_line == 0 ? "\n    " : "", static_cast<unsigned char>(object[i]));
  }
  return fmt::format(
      "/* Generated from descriptor.json by attache-embed-descriptor. */\n"
      "#include <attache/sdk/spi.h>\n\n"
      "extern ATTACHE_EXPORT const unsigned char attache_descriptor_v1[{0}];\n\n"
      "__attribute__((used, retain, aligned(8))) const unsigned char attache_descriptor_v1[{0}] = {{{1}\n}};\n",
      object.size(), bytes);
}

}  // namespace

std::optional<std::string> read_document(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string out(ATTACHE_DESCRIPTOR_MAX_LENGTH + 1, '\0');
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  if (!in.is_open() || in.bad()) {
    fmt::print(stderr, "{}: error: cannot be read\n", path.string());
    return std::nullopt;
  }
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

int embed(const std::filesystem::path& document, const std::filesystem::path& out) {
  const std::optional<std::string> text = read_document(document);
  if (!text) return 1;
  const attache::DescriptorParse parse = attache::parse_descriptor(*text);
  for (const attache::DescriptorFault& fault : parse.faults) {
    fmt::print(stderr, "{}: error: {}: {}\n", document.string(), fault.pointer.empty() ? "/" : fault.pointer,
               fault.text);
  }
  if (!parse.descriptor) return 1;
  std::ofstream file(out, std::ios::binary | std::ios::trunc);
  file << c_source(*text);
  file.close();
  if (file.fail()) {
    fmt::print(stderr, "{}: error: cannot be written\n", out.string());
    return 1;
  }
  return 0;
}

}  // namespace embed
