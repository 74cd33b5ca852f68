// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include <attache/sdk/sha256.hpp>
#include <attache/sdk/spi.h>

#include "loader/elf_image.hpp"

namespace attache {
namespace {

constexpr std::uint64_t max_file_bytes = 1024ULL * 1024 * 1024;
constexpr std::string_view descriptor_name = "attache_descriptor_v1";
constexpr std::string_view entry_name = "attache_driver_entry_v1";

std::string hint_for(std::string_view reason) {
  if (reason == "not_found") return "check the path";
  if (reason == "not_regular") return "name the driver file itself";
  if (reason == "unreadable") return "check the permissions of the file and its directories";
  if (reason == "truncated") return "copy or build the file again; replace files by rename, never in place";
  if (reason == "malformed" || reason == "too_small") return "copy or build the file again";
  if (reason == "other_platform") return "use a build of the driver for this platform";
  if (reason == "no_descriptor") return "build the driver with attache_add_driver(), or name another file";
  if (reason == "descriptor_invalid") return "correct descriptor.json and build the driver again";
  return "name a driver file: attache-driver-<id>.so";
}

FileReport refuse(FileReport report, std::string reason, std::string text) {
  report.ok = false;
  report.hint = hint_for(reason);
  report.reason = std::move(reason);
  report.text = std::move(text);
  return report;
}

FileReport refuse_changed(FileReport report) {
  report.descriptor.reset();
  return refuse(std::move(report), "truncated", "the file changed while it was read");
}

/// The SPI major in a symbol's name, when it is one of ours.
std::optional<std::uint32_t> major_of(std::string_view name) {
  for (const std::string_view prefix : {"attache_descriptor_v", "attache_driver_entry_v"}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view digits = name.substr(prefix.size());
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (digits.empty() || digits.size() > 6 || !std::all_of(digits.begin(), digits.end(), digit)) continue;
    return static_cast<std::uint32_t>(std::stoul(std::string(digits)));
  }
  return std::nullopt;
}

/// The report for a library without a descriptor of our SPI major.
FileReport without_descriptor(FileReport report) {
  for (const std::string& name : report.exported_symbols) {
    const auto major = major_of(name);
    if (!major || *major == ATTACHE_SPI_MAJOR) continue;
    report = refuse(std::move(report), "other_spi_major",
                    fmt::format("the driver is built for SPI {}, this host implements SPI {}.{}", *major,
                                ATTACHE_SPI_MAJOR, ATTACHE_SPI_MINOR));
    report.hint = fmt::format("use a build of the driver for SPI {}, or a host that implements SPI {}",
                              ATTACHE_SPI_MAJOR, *major);
    return report;
  }
  return refuse(std::move(report), "no_descriptor", "the library holds no driver descriptor");
}

/// The document in the file; a refusal when the object around it is not as it must be.
std::optional<elf::Refusal> read_document(const BoundedFile& file, const elf::Image& image,
                                          const elf::DynamicSymbol& symbol, std::string& out) {
  attache_descriptor_header header{};
  const auto place = image.place(symbol.address, symbol.size);
  if (!place || symbol.size < sizeof header) return elf::Refusal{"malformed", "the descriptor is outside of the file"};
  if (!image.read_only(symbol.address, symbol.size)) {
    return elf::Refusal{"malformed", "the descriptor is not in read-only memory"};
  }
  std::array<unsigned char, sizeof header> bytes{};
  if (!file.read(*place, bytes)) return elf::Refusal{"truncated", "the file ends before its descriptor"};
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, ATTACHE_DESCRIPTOR_MAGIC, sizeof header.magic) != 0) {
    return elf::Refusal{"malformed", "the descriptor does not begin with its mark"};
  }
  if (header.schema != ATTACHE_DESCRIPTOR_SCHEMA) {
    return elf::Refusal{"descriptor_invalid", fmt::format("the descriptor has schema {}, this host reads schema {}",
                                                          header.schema, ATTACHE_DESCRIPTOR_SCHEMA)};
  }
  if (header.length > ATTACHE_DESCRIPTOR_MAX_LENGTH || header.length > symbol.size - sizeof header) {
    return elf::Refusal{"malformed", "the descriptor is longer than the object that holds it"};
  }
  out.resize(header.length);
  std::vector<unsigned char> text(header.length);
  if (!file.read(*place + sizeof header, text)) return elf::Refusal{"truncated", "the file ends before its descriptor"};
  out.assign(text.begin(), text.end());
  return std::nullopt;
}

/// A run path is a list; an empty item in it is the current directory, an empty list is nothing.
void split_run_path(std::string_view list, std::vector<std::string>& out) {
  while (!list.empty()) {
    const auto colon = list.find(':');
    out.emplace_back(list.substr(0, colon));
    if (colon == std::string_view::npos) return;
    list.remove_prefix(colon + 1);
    if (list.empty()) out.emplace_back();
  }
}

void copy_symbols(const elf::Image& image, FileReport& report) {
  for (const elf::DynamicSymbol& symbol : image.symbols) {
    (symbol.defined ? report.exported_symbols : report.undefined_symbols).push_back(symbol.name);
    report.has_unique_symbols = report.has_unique_symbols || (symbol.defined && symbol.unique);
  }
  report.needed = image.needed;
  for (const std::string& list : image.run_paths) split_run_path(list, report.run_paths);
}

std::string first_fault(const std::vector<DescriptorFault>& faults) {
  const DescriptorFault& first = faults.front();
  const std::string place = first.pointer.empty() ? "the document" : first.pointer;
  if (faults.size() == 1) return fmt::format("the descriptor is not valid: {}: {}", place, first.text);
  return fmt::format("the descriptor is not valid: {}: {} (and {} more faults)", place, first.text, faults.size() - 1);
}

FileReport read_descriptor(const BoundedFile& file, const elf::Image& image, FileReport report) {
  const elf::DynamicSymbol* descriptor = image.defined(descriptor_name);
  if (descriptor == nullptr) return without_descriptor(std::move(report));
  std::string document;
  if (auto refusal = read_document(file, image, *descriptor, document)) {
    return refuse(std::move(report), std::move(refusal->reason), std::move(refusal->text));
  }
  DescriptorParse parse = parse_descriptor(document);
  report.faults = std::move(parse.faults);
  if (!parse.descriptor) {
    const std::string text = first_fault(report.faults);
    return refuse(std::move(report), "descriptor_invalid", text);
  }
  const elf::DynamicSymbol* entry = image.defined(entry_name);
  if (entry == nullptr || !image.executable(entry->address)) {
    return refuse(std::move(report), "malformed", "the library has a descriptor, but no entry function");
  }
  report.descriptor = std::move(parse.descriptor);
  report.ok = true;
  return report;
}

}  // namespace

FileReport unopened(const std::string& reason) {
  const std::string_view text = reason == "not_found"     ? "there is no such file"
                                : reason == "not_regular" ? "it is not a regular file"
                                                          : "the file cannot be read";
  return refuse({}, reason, std::string(text));
}

std::optional<std::string> digest_of(const BoundedFile& file) {
  sdk::Sha256 hash;
  std::vector<unsigned char> buffer(256UL * 1024);
  for (std::uint64_t at = 0; at < file.size();) {
    const auto piece = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), file.size() - at));
    if (!file.read(at, piece)) return std::nullopt;
    hash.update(std::span<const std::uint8_t>(piece));
    at += piece.size();
  }
  return sdk::to_hex(hash.finish());
}

FileReport read_plugin_file(const BoundedFile& file) {
  FileReport report;
  report.size = file.size();
  if (file.size() > max_file_bytes) return refuse(std::move(report), "malformed", "the file is larger than 1 GiB");
  elf::Image image;
  if (auto refusal = elf::read_image(file, image)) {
    return refuse(std::move(report), std::move(refusal->reason), std::move(refusal->text));
  }
  copy_symbols(image, report);
  report = read_descriptor(file, image, std::move(report));
  return !report.ok || file.unchanged() ? report : refuse_changed(std::move(report));
}

void add_digest(const BoundedFile& file, FileReport& report) {
  if (!report.ok) return;
  std::optional<std::string> digest = digest_of(file);
  if (digest && file.unchanged()) {
    report.sha256 = *std::move(digest);
  } else {
    report = refuse_changed(std::move(report));
  }
}

FileReport read_plugin_file(const std::filesystem::path& path) {
  const BoundedFile::Opened opened = BoundedFile::open(path);
  if (!opened.file) return unopened(opened.reason);
  FileReport report = read_plugin_file(*opened.file);
  add_digest(*opened.file, report);
  return report;
}

}  // namespace attache
