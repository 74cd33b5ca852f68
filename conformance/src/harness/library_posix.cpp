// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "harness/library.hpp"
#include "harness/spi_host.hpp"

namespace attache::conformance {

void (*open_entry(const std::filesystem::path& library, const char* symbol))() {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw HarnessError("the system's loader refuses the library");
  auto* function = reinterpret_cast<void (*)()>(::dlsym(handle, symbol));
  if (function == nullptr) throw HarnessError("the entry symbol is missing");
  return function;
}

}  // namespace attache::conformance
