// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include "report/report.hpp"

namespace attache::conformance {

TerminalStyle TerminalStyle::of_standard_output() {
  TerminalStyle style;
  if (::isatty(STDOUT_FILENO) == 0) return style;
  style.colour = std::getenv("NO_COLOR") == nullptr;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::max<std::size_t>(size.ws_col, 40);
  return style;
}

}  // namespace attache::conformance
