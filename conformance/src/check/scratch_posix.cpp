// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <sys/utsname.h>

#include "check/scratch.hpp"

namespace attache::conformance {

Scratch::Scratch() {
  std::string pattern = (std::filesystem::temp_directory_path() / "attache-kit-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "no scratch folder can be made");
  }
  path_ = std::filesystem::canonical(pattern);
  std::filesystem::create_directory(path_ / "home");
  std::filesystem::create_directory(path_ / "tmp");
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string platform_name() {
  utsname name{};
  ::uname(&name);
  return std::string(name.sysname) + " " + name.machine;
}

}  // namespace attache::conformance
