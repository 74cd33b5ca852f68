// SPDX-License-Identifier: Apache-2.0
#include "loader/elf_dynamic.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "loader/elf_format.hpp"

namespace attache::elf {
namespace {

constexpr std::uint64_t max_dynamic_bytes = 64UL * 1024;
constexpr std::uint64_t max_symbols = 65'536;
constexpr std::uint64_t max_string_bytes = 16UL * 1024 * 1024;
constexpr std::size_t max_name_bytes = 4096;
constexpr std::size_t max_names = 1024;

Refusal malformed(std::string_view text) {
  return {"malformed", std::string(text)};
}

/// What the dynamic section names, by address.
struct Table {
  std::optional<std::uint64_t> strings, strings_size, symbols, symbol_size, hash, gnu_hash;
  std::vector<std::uint64_t> needed, run_paths;
};

class Reader {
 public:
  Reader(const BoundedFile& file, const Image& image) : file_(file), image_(image) {}

  bool bytes(std::uint64_t address, std::span<unsigned char> out) const {
    const auto place = image_.place(address, out.size());
    return place && file_.read(*place, out);
  }
  template <class T>
  bool value(std::uint64_t address, T& out) const {
    std::array<unsigned char, sizeof(T)> raw{};
    if (!bytes(address, raw)) return false;
    std::memcpy(&out, raw.data(), sizeof out);
    return true;
  }
  std::optional<std::vector<std::uint32_t>> words(std::uint64_t address, std::uint64_t count) const {
    std::vector<unsigned char> raw(count * sizeof(std::uint32_t));
    if (!bytes(address, raw)) return std::nullopt;
    std::vector<std::uint32_t> out(count);
    if (count != 0) std::memcpy(out.data(), raw.data(), raw.size());
    return out;
  }

 private:
  const BoundedFile& file_;
  const Image& image_;
};

Table read_table(const std::vector<unsigned char>& bytes) {
  Table out;
  for (std::size_t at = 0; at + sizeof(DynamicEntry) <= bytes.size(); at += sizeof(DynamicEntry)) {
    DynamicEntry entry{};
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    switch (entry.tag) {
      case tag_end:
        return out;
      case tag_strings:
        out.strings = entry.value;
        break;
      case tag_strings_size:
        out.strings_size = entry.value;
        break;
      case tag_symbols:
        out.symbols = entry.value;
        break;
      case tag_symbol_size:
        out.symbol_size = entry.value;
        break;
      case tag_hash:
        out.hash = entry.value;
        break;
      case tag_gnu_hash:
        out.gnu_hash = entry.value;
        break;
      case tag_needed:
        out.needed.push_back(entry.value);
        break;
      case tag_rpath:
      case tag_runpath:
        out.run_paths.push_back(entry.value);
        break;
      default:
        break;
    }
  }
  return out;
}

/// The number of symbols of a DT_GNU_HASH table: one more than the last one of the longest chain.
std::optional<std::uint64_t> count_gnu(const Reader& reader, std::uint64_t address) {
  struct Header {
    std::uint32_t buckets, first, bloom_words, bloom_shift;
  } header{};
  if (!reader.value(address, header) || header.buckets > max_symbols || header.bloom_words > max_symbols) {
    return std::nullopt;
  }
  const std::uint64_t buckets = address + sizeof header + std::uint64_t{header.bloom_words} * sizeof(std::uint64_t);
  const auto heads = reader.words(buckets, header.buckets);
  if (!heads) return std::nullopt;
  std::uint64_t last = 0;
  for (const std::uint32_t head : *heads) last = std::max<std::uint64_t>(last, head);
  if (last < header.first) return header.first;
  const std::uint64_t chains = buckets + std::uint64_t{header.buckets} * sizeof(std::uint32_t);
  for (; last < max_symbols; ++last) {
    std::uint32_t link = 0;
    if (!reader.value(chains + (last - header.first) * sizeof link, link)) return std::nullopt;
    if ((link & 1U) != 0) return last + 1;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> count_symbols(const Reader& reader, const Table& table) {
  if (!table.hash) return table.gnu_hash ? count_gnu(reader, *table.gnu_hash) : std::nullopt;
  struct Header {
    std::uint32_t buckets, chains;
  } header{};
  if (!reader.value(*table.hash, header)) return std::nullopt;
  return header.chains;
}

/// A terminated name inside of the string table.
std::optional<std::string> name_at(const std::vector<unsigned char>& strings, std::uint64_t at) {
  if (at >= strings.size()) return std::nullopt;
  const auto begin = strings.begin() + static_cast<std::ptrdiff_t>(at);
  const auto limit = begin + static_cast<std::ptrdiff_t>(std::min(max_name_bytes, strings.size() - at));
  const auto end = std::find(begin, limit, 0);
  if (end == limit) return std::nullopt;
  return std::string(begin, end);
}

bool read_names(const std::vector<unsigned char>& strings, const std::vector<std::uint64_t>& places,
                std::vector<std::string>& out) {
  if (places.size() > max_names) return false;
  for (const std::uint64_t place : places) {
    auto name = name_at(strings, place);
    if (!name) return false;
    out.push_back(std::move(*name));
  }
  return true;
}

bool read_symbols(const std::vector<unsigned char>& bytes, const std::vector<unsigned char>& strings, Image& image) {
  std::size_t name_bytes = 0;
  for (std::size_t at = sizeof(Symbol); at + sizeof(Symbol) <= bytes.size(); at += sizeof(Symbol)) {
    Symbol symbol{};
    std::memcpy(&symbol, bytes.data() + at, sizeof symbol);
    const unsigned bind = symbol.info >> 4U;
    const unsigned type = symbol.info & 15U;
    if (bind == bind_local) continue;
    auto name = name_at(strings, symbol.name);
    if (!name) return false;
    name_bytes += name->size();
    if (name_bytes > max_string_bytes) return false;  // many symbols may share one long name
    DynamicSymbol out;
    out.name = std::move(*name);
    out.address = symbol.address;
    out.size = symbol.size;
    out.defined = symbol.section != 0;
    out.unique = bind == bind_unique;
    out.object = type == type_object;
    out.function = type == type_function;
    image.symbols.push_back(std::move(out));
  }
  return true;
}

}  // namespace

std::optional<Refusal> read_dynamic(const BoundedFile& file, const Segment& dynamic, Image& image) {
  if (dynamic.file_size > max_dynamic_bytes) return malformed("the dynamic section is too large");
  std::vector<unsigned char> bytes(dynamic.file_size);
  if (!file.read(dynamic.offset, bytes)) return Refusal{"truncated", "the file ends before its dynamic section"};
  const Table table = read_table(bytes);
  if (!table.strings || !table.strings_size || !table.symbols) {
    return malformed("the dynamic section names no symbols");
  }
  if (table.symbol_size.value_or(sizeof(Symbol)) != sizeof(Symbol)) return malformed("the symbols have a wrong size");
  if (*table.strings_size > max_string_bytes) return malformed("the names of the symbols are too long");
  const Reader reader(file, image);
  const auto count = count_symbols(reader, table);
  if (!count || *count > max_symbols) return malformed("the number of symbols cannot be known, or is too large");
  if (!image.place(*table.strings, *table.strings_size) || !image.place(*table.symbols, *count * sizeof(Symbol))) {
    return malformed("the symbols are outside of the library");
  }
  std::vector<unsigned char> strings(*table.strings_size);
  std::vector<unsigned char> symbols(*count * sizeof(Symbol));
  if (!reader.bytes(*table.strings, strings) || !reader.bytes(*table.symbols, symbols)) {
    return Refusal{"truncated", "the file ends before its symbols"};
  }
  if (!read_symbols(symbols, strings, image) || !read_names(strings, table.needed, image.needed) ||
      !read_names(strings, table.run_paths, image.run_paths)) {
    return malformed("a name is outside of the library, or too long");
  }
  return std::nullopt;
}

}  // namespace attache::elf
