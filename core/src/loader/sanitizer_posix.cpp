// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <dlfcn.h>
#include <fmt/format.h>

#include "loader/sanitizer.hpp"

namespace attache {
namespace {

struct Sanitizer {
  std::string_view prefix, name, library;
  bool loads_alone;  ///< its library may come with the driver
};

constexpr std::array sanitizers{
    Sanitizer{"__asan_", "the address sanitizer", "libasan", false},
    Sanitizer{"__tsan_", "the thread sanitizer", "libtsan", false},
    Sanitizer{"__msan_", "the memory sanitizer", "libmsan", false},
    Sanitizer{"__hwasan_", "the hardware address sanitizer", "libhwasan", false},
    Sanitizer{"__ubsan_", "the undefined behaviour sanitizer", "libubsan", true},
};

bool needs(const FileReport& report, std::string_view library) {
  return std::any_of(report.needed.begin(), report.needed.end(),
                     [&](const std::string& name) { return name.starts_with(library); });
}

}  // namespace

StepResult check_sanitizers(const FileReport& report) {
  for (const Sanitizer& sanitizer : sanitizers) {
    const auto symbol = std::find_if(report.undefined_symbols.begin(), report.undefined_symbols.end(),
                                     [&](const std::string& name) { return name.starts_with(sanitizer.prefix); });
    if (symbol == report.undefined_symbols.end()) continue;
    if (sanitizer.loads_alone && needs(report, sanitizer.library)) continue;
    if (::dlsym(RTLD_DEFAULT, symbol->c_str()) != nullptr) continue;
    return {LoadAttempt::Stage::elf, "sanitizer_mismatch",
            fmt::format("the driver is built with {}, and this program is not", sanitizer.name),
            "build the driver without it, or the host with it"};
  }
  return {};
}

}  // namespace attache
