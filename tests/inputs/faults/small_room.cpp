// SPDX-License-Identifier: Apache-2.0
#include "faults/small_room.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "faults/faulty_calls.hpp"

namespace attache::testing {
namespace {

bool say(const char* path, const std::string& text) {
  std::ofstream out(path);
  return static_cast<bool>(out.write(text.data(), static_cast<std::streamsize>(text.size())).flush());
}

/// A mount namespace of this process; without rights, in a user namespace in which it has them.
bool enter_own_mounts() {
  if (::unshare(CLONE_NEWNS) == 0) return true;
  const std::string user = std::to_string(::geteuid()), group = std::to_string(::getegid());
  return ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && say("/proc/self/setgroups", "deny") &&
         say("/proc/self/uid_map", user + " " + user + " 1\n") &&
         say("/proc/self/gid_map", group + " " + group + " 1\n");
}

bool mount_over(const std::filesystem::path& directory, const SmallRoom::Size& size) {
  std::string options = "mode=0700";
  if (size.bytes) options += ",size=" + std::to_string(*size.bytes);
  if (size.files) options += ",nr_inodes=" + std::to_string(*size.files + 1);  // its root is one
  return enter_own_mounts() && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", directory.c_str(), "tmpfs", 0, options.c_str()) == 0;
}

}  // namespace

struct SmallRoom::Calls {
  explicit Calls(const Size& given) : size(given), faulty([this](Call call) { return answer(call); }) {}
  Answer answer(Call call) {
    if (call == Call::write && size.bytes) {
      constexpr std::uint64_t piece = 64 << 10;  // each write counts as so much
      const std::uint64_t left = std::min(*size.bytes, piece);
      if (left == 0) return {ENOSPC};
      *size.bytes -= left;
      return {0, static_cast<std::size_t>(left)};
    }
    if ((call == Call::create || call == Call::make_directory) && size.files && (*size.files)-- == 0) {
      size.files = 0;
      return {ENOSPC};
    }
    return {};
  }
  Size size;
  FaultyCalls faulty;
};

SmallRoom::SmallRoom(const std::filesystem::path& directory, Size size, By by) {
  if (by == By::calls || !mount_over(directory, size)) calls_ = std::make_unique<Calls>(size);
}
SmallRoom::~SmallRoom() = default;

}  // namespace attache::testing
