// SPDX-License-Identifier: Apache-2.0
// What a killed host left in a workspace.
#include <csignal>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inputs/run_sweep.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
namespace fs = std::filesystem;

class PlacementSweepTest : public WorkspaceTest {
 protected:
  fs::path home() const { return workspace / ".attache"; }
  input::Input text() const { return bytes(Kind::file, "text/plain", content); }
  /// A host that holds a run, in a child. Gives the name of its placement.
  pid_t start_host(std::string& placement) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("pipe failed");
    const pid_t child = ::fork();
    if (child == 0) {
      const auto run = accept({text()});
      const std::string name = fs::path(run.placement()).filename().native();
      if (::write(ready[1], name.data(), name.size()) < 0) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    placement.assign(36, '\0');
    EXPECT_EQ(::read(ready[0], placement.data(), placement.size()), 36);
    ::close(ready[0]);
    return child;
  }
  static void end(pid_t host) {
    ::kill(host, SIGKILL);
    ASSERT_EQ(::waitpid(host, nullptr, 0), host);
  }
  /// The next host with this base, in a child: a base is swept once in a process.
  void sweep() {
    EXPECT_EQ(in_child([&] {
                const std::string picture = png(1, 1);
                accept({bytes(Kind::image, "image/png", picture)});
                return 0;
              }),
              0);
  }
  const std::string content = "what is to be read";
};

TEST_F(PlacementSweepTest, R_H2_R_J1_OnlyWhatADeadHostPlacedIsRemoved) {
  std::string dead, live;
  const pid_t dying = start_host(dead), living = start_host(live);
  end(dying);
  ASSERT_TRUE(fs::exists(home() / dead));
  sweep();
  EXPECT_FALSE(fs::exists(home() / dead));
  EXPECT_EQ(entries(home() / live), 1u);
  EXPECT_EQ(read_file(home() / ".gitignore"), "*\n");
  end(living);
  sweep();
  EXPECT_EQ(entries(workspace), 0u) << "the last one takes the home along";
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(PlacementSweepTest, R_H2_AMovedOrReplacedWorkspaceIsLeftAlone) {
  std::string placed;
  end(start_host(placed));
  fs::rename(workspace, scratch / "moved");
  fs::create_directories(home() / placed);
  ASSERT_EQ(::chmod(home().c_str(), 0700), 0);
  write_file(home() / placed / "of-another", "kept");
  sweep();
  EXPECT_EQ(read_file(home() / placed / "of-another"), "kept");
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(PlacementSweepTest, R_H2_AnotherDirectoryOfTheSameNameIsLeftAlone) {
  std::string placed;
  end(start_host(placed));
  fs::rename(home() / placed, scratch / "taken");
  fs::create_directory(home() / placed);
  write_file(home() / placed / "of-another", "kept");
  sweep();
  EXPECT_EQ(read_file(home() / placed / "of-another"), "kept");
}

TEST_F(PlacementSweepTest, R_H2_NoLinkIsFollowed) {
  std::string placed;
  end(start_host(placed));
  const fs::path outside = scratch / "outside";
  fs::create_directories(outside / placed);
  write_file(outside / placed / "kept", "kept");
  fs::rename(home(), scratch / "taken");
  fs::create_directory_symlink(outside, home());
  sweep();
  EXPECT_EQ(read_file(outside / placed / "kept"), "kept");
  EXPECT_TRUE(fs::is_symlink(home()));
}

TEST_F(PlacementSweepTest, R_H2_AHostThatDiedBeforeItRecordedItsDirectory) {
  std::string placed;
  end(start_host(placed));
  const fs::path run = fs::directory_iterator(base)->path();
  fs::remove(run / "placement");
  fs::remove(fs::directory_iterator(home() / placed)->path());
  sweep();
  EXPECT_EQ(entries(workspace), 0u);
}

TEST_F(PlacementSweepTest, ADamagedRecordRemovesNothingInTheWorkspace) {
  for (const std::string_view record : {"", "x", "1 2 /", "1 2 /\n", "99999999999999999999 1 /tmp\n", "1\n", " \n"}) {
    std::string placed;
    end(start_host(placed));
    const fs::path run = fs::directory_iterator(base)->path();
    fs::remove(run / "workspace");
    write_file(run / "workspace", record);
    sweep();
    EXPECT_EQ(entries(home() / placed), 1u) << record;
    EXPECT_EQ(entries(base), 0u) << record;
    fs::remove_all(home());
  }
}

}  // namespace
}  // namespace attache::testing
