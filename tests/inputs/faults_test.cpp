// SPDX-License-Identifier: Apache-2.0
// Faults of the file systems below a copy: full, without rights, without descriptors.
#include <csignal>
#include <fstream>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using input::Mode;
namespace fs = std::filesystem;

constexpr int no_mount = 77;

bool say(const char* path, const std::string& text) {
  std::ofstream out(path);
  return static_cast<bool>(out.write(text.data(), static_cast<std::streamsize>(text.size())).flush());
}

/// Puts a tmpfs in place of a directory, for this process. Without rights, in a user namespace in which it has them.
bool mount_small(const fs::path& at, const char* options) {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (user != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !say("/proc/self/setgroups", "deny")) return false;
    if (!say("/proc/self/uid_map", "0 " + std::to_string(user) + " 1\n")) return false;
    if (!say("/proc/self/gid_map", "0 " + std::to_string(group) + " 1\n")) return false;
  } else if (::unshare(CLONE_NEWNS) != 0) {
    return false;
  }
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("tmpfs", at.c_str(), "tmpfs", 0, options) == 0;
}

class FaultsTest : public InputsTest {
 protected:
  FaultsTest() {
    workspace = scratch / "workspace";
    fs::create_directory(workspace);
    driver.placement = "workspace";
    driver.inputs.file.modes = {mode(Mode::workspace_reference, {"text/*"})};
  }
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

TEST_F(FaultsTest, TheWorkspaceOrTheBaseRunsFull) {
  for (const bool in_workspace : {false, true}) {
    const int code = in_child([&] {
      if (!mount_small(in_workspace ? workspace : base, "size=1m,mode=0700")) return no_mount;
      return outcome({in_workspace ? text() : image()}, "disk_full");
    });
    if (code == no_mount) GTEST_SKIP() << "this user may not mount a tmpfs; the next test has the same fault";
    EXPECT_EQ(code, 0) << in_workspace;
  }
}

TEST_F(FaultsTest, NoFileMayGrowInTheWorkspaceOrTheBase) {
  for (const input::Input& given : {image(), text()}) {
    EXPECT_EQ(in_child([&] {
                ::signal(SIGXFSZ, SIG_IGN);
                const rlimit limit{100000, 100000};
                return ::setrlimit(RLIMIT_FSIZE, &limit) != 0 ? 1 : outcome({given}, "disk_full");
              }),
              0);
  }
}

TEST_F(FaultsTest, ThereIsNoRoomForADirectory) {
  for (const bool in_workspace : {false, true}) {
    const int code = in_child([&] {
      if (!mount_small(in_workspace ? workspace : base, "nr_inodes=1,mode=0700")) return no_mount;
      return outcome({in_workspace ? text() : image()}, "disk_full");
    });
    if (code == no_mount) GTEST_SKIP() << "this user may not mount a tmpfs";
    EXPECT_EQ(code, 0) << in_workspace;
  }
}

TEST_F(FaultsTest, ThereIsNoRoomInTheWorkspaceForWhatBelongsIntoIt) {
  // The root, `.attache`, its .gitignore, the run's directory: each time one more is there.
  for (int inodes = 2; inodes <= 4; ++inodes) {
    const int code = in_child([&] {
      if (!mount_small(workspace, ("mode=0700,nr_inodes=" + std::to_string(inodes)).c_str())) return no_mount;
      return outcome({text()}, "disk_full");
    });
    if (code == no_mount) GTEST_SKIP() << "this user may not mount a tmpfs";
    EXPECT_EQ(code, 0) << inodes;
  }
}

TEST_F(FaultsTest, ABaseWithoutTheRightToWrite) {
  EXPECT_EQ(in_child_as_nobody([&] {
              if (::chmod(base.c_str(), 0500) != 0) return 1;
              return outcome({image()}, "write_failed");
            }),
            0);
}

TEST_F(FaultsTest, WithoutDescriptorsItIsTypedToo) {
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

TEST_F(FaultsTest, AReadErrorOfTheSystemIsTyped) {
  // Reading the first page of a process's memory fails with EIO, and the file is a regular one.
  const InputError error = refuse({input::from_path(Kind::file, "/proc/self/mem").media_type("text/plain")});
  EXPECT_EQ(error.code(), errc::input_materialization_failed);
  EXPECT_EQ(error.reason(), "read_failed");
}

}  // namespace
}  // namespace attache::testing
