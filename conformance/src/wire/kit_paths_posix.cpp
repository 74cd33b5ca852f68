// SPDX-License-Identifier: Apache-2.0
#include "wire/kit_paths.hpp"

namespace attache::conformance {
namespace {

/// `relative` under the first folder above the program that has it: bin/, libexec/attache/ and a build tree's tests/
/// stand at different depths.
std::filesystem::path beside_program(const std::filesystem::path& relative) {
  std::error_code ignored;
  std::filesystem::path folder = own_executable().parent_path();
  for (int level = 0; level < 4 && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / relative, ignored)) {
      return folder / relative;
    }
  }
  return {};
}

}  // namespace

std::filesystem::path own_executable() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

std::filesystem::path kit_dialects() {
  return beside_program("share/attache/conformance/dialects");
}
std::filesystem::path kit_tap() {
  return beside_program(std::filesystem::path(ATTACHE_KIT_LIBEXEC) / "attache-tap");
}

}  // namespace attache::conformance
