// SPDX-License-Identifier: Apache-2.0
// File systems below a copy that are full, without rights or without descriptors.
#include <csignal>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/small_room.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using By = SmallRoom::By;
namespace fs = std::filesystem;

class FullTest : public WorkspaceTest {
 protected:
  input::Input text() const { return bytes(Kind::file, "text/plain", large); }
  input::Input image() const { return bytes(Kind::image, "image/png", picture); }
  /// 0: refused for this reason, typed, and nothing is left.
  int outcome(const std::vector<input::Input>& given, std::string_view reason) const {
    try {
      accept(given);
      return 10;
    } catch (const InputError& error) {
      if (error.code() != errc::input_materialization_failed || error.reason() != reason) {
        ::fprintf(stderr, "%s: %s\n", error.reason().c_str(), error.what());
        return 11;
      }
      if (std::string_view(error.what()).find(scratch.native()) != std::string_view::npos) return 12;
    }
    return entries(base) == 0 && entries(workspace) == 0 ? 0 : 13;
  }
  const std::string picture = png_padded(2 << 20), large = std::string(2 << 20, 'x');
};

TEST_F(FullTest, TheWorkspaceOrTheBaseRunsFull) {
  for (const bool in_workspace : {false, true}) {
    for (const By by : {By::file_system, By::calls}) {
      EXPECT_EQ(in_child([&] {
                  const SmallRoom room(in_workspace ? workspace : base, {.bytes = 1 << 20, .files = {}}, by);
                  return outcome({in_workspace ? text() : image()}, "disk_full");
                }),
                0)
          << in_workspace;
    }
  }
}

TEST_F(FullTest, WhatFitsIntoASmallBaseIsDelivered) {
  for (const By by : {By::file_system, By::calls}) {
    EXPECT_EQ(in_child([&] {
                const SmallRoom room(base, {.bytes = 1 << 20, .files = 8}, by);
                const std::string small = png_padded(1000);
                const auto run = accept({bytes(Kind::image, "image/png", small)});
                return read_file(run.local_path(0)) == small ? 0 : 1;
              }),
              0);
  }
}

TEST_F(FullTest, NoFileMayGrowInTheWorkspaceOrTheBase) {
  for (const input::Input& given : {image(), text()}) {
    EXPECT_EQ(in_child([&] {
                ::signal(SIGXFSZ, SIG_IGN);
                const rlimit limit{100000, 100000};
                return ::setrlimit(RLIMIT_FSIZE, &limit) != 0 ? 1 : outcome({given}, "disk_full");
              }),
              0);
  }
}

TEST_F(FullTest, ThereIsNoRoomForADirectory) {
  for (const bool in_workspace : {false, true}) {
    for (const By by : {By::file_system, By::calls}) {
      EXPECT_EQ(in_child([&] {
                  const SmallRoom room(in_workspace ? workspace : base, {.bytes = {}, .files = 0}, by);
                  return outcome({in_workspace ? text() : image()}, "disk_full");
                }),
                0)
          << in_workspace;
    }
  }
}

TEST_F(FullTest, ThereIsNoRoomInTheWorkspaceForWhatBelongsIntoIt) {
  // `.attache`, its .gitignore, the run's directory: each time one more is there.
  for (std::uint64_t files = 1; files <= 3; ++files) {
    for (const By by : {By::file_system, By::calls}) {
      EXPECT_EQ(in_child([&] {
                  const SmallRoom room(workspace, {.bytes = {}, .files = files}, by);
                  return outcome({text()}, "disk_full");
                }),
                0)
          << files;
    }
  }
}

TEST_F(FullTest, ABaseWithoutTheRightToWrite) {
  EXPECT_EQ(in_child_as_nobody([&] {
              if (::chmod(base.c_str(), 0500) != 0) return 1;
              return outcome({image()}, "write_failed");
            }),
            0);
}

TEST_F(FullTest, WithoutDescriptorsItIsTypedToo) {
  EXPECT_EQ(in_child([&] {
              const auto path = file("a.png", picture);
              const int next = ::dup(0);
              // From none to enough: whatever is the one that fails, it is typed.
              int refused = 0;
              for (rlim_t more = 0; more < 40; ++more) {
                const rlimit limit{static_cast<rlim_t>(next) + more, 4096};
                if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
                std::string reason;
                try {
                  accept({input::from_path(Kind::image, path), text()});
                } catch (const InputError& error) {
                  if (error.code() != errc::input_materialization_failed) return 2;
                  reason = error.reason();
                }
                const rlimit all{4096, 4096};
                if (::setrlimit(RLIMIT_NOFILE, &all) != 0) return 3;
                if (entries(base) != 0 && !reason.empty()) fs::remove_all(fs::directory_iterator(base)->path());
                fs::remove_all(workspace / ".attache");
                if (reason.empty()) return refused > 2 ? 0 : 4;
                ++refused;
              }
              return 5;
            }),
            0);
}

TEST_F(FullTest, AReadErrorOfTheSystemIsTyped) {
  // Reading the first page of a process's memory fails with EIO, and the file is a regular one.
  const InputError error = refuse({input::from_path(Kind::file, "/proc/self/mem").media_type("text/plain")});
  EXPECT_EQ(error.code(), errc::input_materialization_failed);
  EXPECT_EQ(error.reason(), "read_failed");
}

}  // namespace
}  // namespace attache::testing
