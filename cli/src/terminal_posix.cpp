// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstddef>

#include <poll.h>
#include <unistd.h>

#include "terminal.hpp"

namespace attache::cli {

bool is_terminal(Channel channel) noexcept {
  return ::isatty(static_cast<int>(channel)) == 1;
}

bool write_all(Channel channel, std::string_view bytes) noexcept {
  const int descriptor = static_cast<int>(channel);
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void survive_broken_pipes() noexcept {
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace attache::cli
