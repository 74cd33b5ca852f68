// SPDX-License-Identifier: Apache-2.0
// A directory with little room in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace attache::testing {

/// For child processes of a test: it is not undone.
class SmallRoom {
 public:
  struct Size {
    std::optional<std::uint64_t> bytes;
    std::optional<std::uint64_t> files;  ///< directories too
  };
  enum class By {
    file_system,  ///< a tmpfs of that size is mounted over it; where nobody may do that, as `calls`
    calls,        ///< what this process writes and makes anywhere counts, and fails once there is no room
  };
  SmallRoom(const std::filesystem::path& directory, Size size, By by);
  ~SmallRoom();
  SmallRoom(const SmallRoom&) = delete;
  SmallRoom& operator=(const SmallRoom&) = delete;

 private:
  struct Calls;
  std::unique_ptr<Calls> calls_;
};

}  // namespace attache::testing
