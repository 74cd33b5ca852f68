// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

#include <attache/descriptor.hpp>

#include "verbs.hpp"

namespace embed {
namespace {

std::vector<std::string> faults_of(const attache::FileReport& report, const std::string& document) {
  std::vector<std::string> out;
  if (!report.ok) {
    out.push_back(report.text);
    for (const auto& fault : report.faults) out.push_back(fmt::format("{}: {}", fault.pointer, fault.text));
    return out;
  }
  for (const std::string& name : report.exported_symbols) {
    if (name != "attache_descriptor_v1" && name != "attache_driver_entry_v1") {
      out.push_back(fmt::format("exports a symbol of its own: {}", name));
    }
  }
  if (report.has_unique_symbols) out.emplace_back("exports a unique symbol, which other libraries would share");
  for (const std::string& path : report.run_paths) {
    if (!path.starts_with('/') && !path.starts_with("$ORIGIN")) out.emplace_back("has a relative run path");
  }
  if (report.descriptor->json != document) out.emplace_back("holds another descriptor than descriptor.json");
  return out;
}

}  // namespace

int verify(const std::filesystem::path& library, const std::filesystem::path& document) {
  const std::optional<std::string> text = read_document(document);
  if (!text) return 1;
  const std::vector<std::string> faults = faults_of(attache::read_plugin_file(library), *text);
  for (const std::string& fault : faults) fmt::print(stderr, "{}: error: {}\n", library.string(), fault);
  return faults.empty() ? 0 : 1;
}

}  // namespace embed
