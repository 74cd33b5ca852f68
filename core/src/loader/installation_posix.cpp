// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <dlfcn.h>

#include "loader/installation.hpp"

namespace attache {
namespace {

namespace fs = std::filesystem;

/// The file that core's code is in: the program, or a shared library.
fs::path file_of_core() {
  Dl_info info{};
  std::error_code error;
  if (::dladdr(reinterpret_cast<const void*>(&file_of_core), &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::canonical(info.dli_fname, error);
}

fs::path prefix_of(const HostOptions& options) {
  if (!options.prefix.empty()) return options.prefix;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path first = program.parent_path().parent_path();
  const fs::path library = file_of_core().parent_path();
  // lib, or lib/<architecture>
  for (const fs::path& prefix : {first, library.parent_path(), library.parent_path().parent_path()}) {
    if (fs::exists(prefix / ATTACHE_LIBEXEC_DIR / "attache-probe", error)) return prefix;
  }
  return first;
}

}  // namespace

fs::path installed_driver_directory(const HostOptions& options) {
  return prefix_of(options) / ATTACHE_DRIVER_DIR;
}

fs::path installed_probe(const HostOptions& options) {
  return prefix_of(options) / ATTACHE_LIBEXEC_DIR / "attache-probe";
}

}  // namespace attache
