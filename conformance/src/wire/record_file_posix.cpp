// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "wire/record_file.hpp"

namespace attache::conformance {

int open_append(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    throw std::system_error(errno, std::generic_category(), "a record could not be opened");
  }
  return descriptor;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0 && (errno == EPIPE || errno == EBADF)) {
      return false;
    }
    if (count < 0) {
      throw std::system_error(errno, std::generic_category(), "a record could not be written");
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void close_file(int descriptor) noexcept {
  if (descriptor >= 0) {
    ::close(descriptor);
  }
}

}  // namespace attache::conformance
