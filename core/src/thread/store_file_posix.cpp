// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <attache/error.hpp>

#include "thread/store_file.hpp"

namespace attache::threads {

void create_store_file(const std::filesystem::path& file) {
  const int made = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const int error = errno;
  if (made >= 0) ::close(made);
  struct stat status {};
  if ((made < 0 && error != EEXIST) || ::stat(file.c_str(), &status) != 0) {
    throw Error(errc::thread_store, "open_failed", "the thread store could not be opened");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(errc::thread_store, "not_regular", "the thread store is not a regular file");
  }
}

}  // namespace attache::threads
