// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

#include "inputs/descriptor_posix.hpp"
#include "inputs/fault.hpp"
#include "inputs/run_providers.hpp"

namespace attache::inputs {
namespace {

constexpr const char* record_name = "providers";
constexpr std::size_t most_bytes = 64U << 10;  // more than 256 lines, the most a run may have

/// Up to `text.size()` bytes of a file; empty when it cannot be read.
std::string_view read_up_to(const FileDescriptor& file, std::span<char> text) noexcept {
  std::size_t length = 0;
  while (file && length < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + length, text.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += static_cast<std::size_t>(count);
  }
  return {text.data(), length};
}

/// Where process numbers and start times mean the same: this boot of the system and this space of processes. One word.
std::string this_place() {
  std::array<char, 64> boot{};
  std::array<char, 64> space{};
  const FileDescriptor file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  std::string_view id = read_up_to(file, boot);
  id = id.substr(0, id.find('\n'));
  const ssize_t length = ::readlink("/proc/self/ns/pid", space.data(), space.size());
  return fmt::format("{}/{}", id,
                     std::string_view(space.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))));
}

template <class Number>
bool take_number(std::string_view& line, Number& number) noexcept {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ' ') return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return true;
}

bool end_provider(std::string_view line, std::string_view place) noexcept {
  sdk::ProcessGroup group;
  if (!take_number(line, group.id) || !take_number(line, group.start_time) || line != place) return true;
  return sdk::end_orphan(group) != sdk::OrphanEnd::survived;
}

bool end_all(int directory) {
  const FileDescriptor file(::openat(directory, record_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found {};
  if (!file || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != ::geteuid()) return true;
  std::string text(most_bytes, '\0');
  std::string_view left = read_up_to(file, text);
  const std::string place = this_place();
  bool ended = true;
  // A line without its end was cut off with its host.
  for (std::size_t end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
    ended = end_provider(left.substr(0, end), place) && ended;
    left.remove_prefix(end + 1);
  }
  return ended;
}

}  // namespace

void append_provider(int directory, std::int64_t pgid, std::uint64_t start_time) {
  const std::string line = fmt::format("{} {} {}\n", pgid, start_time, this_place());
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
  const FileDescriptor file(::openat(directory, record_name, flags, S_IRUSR | S_IWUSR));
  if (!file || ::write(file.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    throw FaultError(errc::input_materialization_failed, "write_failed", "the provider cannot be noted with its run",
                     std::system_category().message(errno));
  }
}

bool end_providers(int directory) noexcept {
  try {
    return end_all(directory);
  } catch (...) {
    return false;  // for want of memory
  }
}

}  // namespace attache::inputs
