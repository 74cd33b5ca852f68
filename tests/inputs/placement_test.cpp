// SPDX-License-Identifier: Apache-2.0
// Inputs of drivers that read nothing outside of the workspace.
#include <array>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/bench.hpp"
#include "support/media.hpp"
#include "support/readers.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using input::Mode;
namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & 07777u : 0u;
}

class PlacementTest : public WorkspaceTest {
 protected:
  fs::path home() const { return workspace / ".attache"; }
  input::Input text() const { return bytes(Kind::file, "text/plain", content); }
  input::Input image() const { return bytes(Kind::image, "image/png", picture); }
  /// Expects a refusal that leaves the workspace as it was.
  void expect_workspace_refused(std::string_view reason) const {
    const InputError error = refuse({image(), text()});
    EXPECT_EQ(error.code(), errc::input_materialization_failed) << error.what();
    EXPECT_EQ(error.reason(), reason) << error.what();
    EXPECT_EQ(error.index(), 1u);
    EXPECT_EQ(error.kind(), Kind::file);
    EXPECT_EQ(error.media_type(), "text/plain");
  }
  const std::string content = "what is to be read", picture = png(1, 1);
};

TEST_F(PlacementTest, R_J1_OnlyTheReferenceGoesToTheWorkspace) {
  auto run = accept({image(), text()});
  const fs::path native = run.local_path(0), reference = run.local_path(1);
  EXPECT_EQ(native.parent_path(), run.directory());
  EXPECT_EQ(reference.parent_path(), run.placement());
  EXPECT_EQ(reference.parent_path().parent_path(), home());
  EXPECT_EQ(read_file(native), picture);
  EXPECT_EQ(read_file(reference), content);
  EXPECT_EQ(run.resolved()[1].sha256, digest_of(content));
  EXPECT_EQ(run.resolved()[1].mode, Mode::workspace_reference);
  EXPECT_EQ(entries(run.placement()), 1u);
  EXPECT_EQ(read_file(home() / ".gitignore"), "*\n");
  EXPECT_EQ(mode_of(home()), 0700u);
  EXPECT_EQ(mode_of(run.placement()), 0700u);
  EXPECT_EQ(mode_of(reference), 0400u);
  run.remove();
  EXPECT_EQ(entries(workspace), 0u);
  EXPECT_EQ(entries(base), 0u);
  run.remove();
}

TEST_F(PlacementTest, R_J1_AnAgentThatMayReadOnlyItsWorkspaceReadsIt) {
  const auto run = accept({text()});
  const fs::path reference = run.local_path(0);
  const int code = in_child([&] {
    if (::chdir(workspace.c_str()) != 0) return 1;
    const std::string prefix = workspace.native() + "/";
    if (!reference.native().starts_with(prefix)) return 2;
    return read_file(reference.native().substr(prefix.size())) == content ? 0 : 3;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(PlacementTest, NothingIsMadeWhereNothingIsPlaced) {
  const auto run = accept({image()});
  EXPECT_EQ(run.placement(), "");
  EXPECT_EQ(entries(workspace), 0u);
  EXPECT_EQ(entries(run.directory()), 1u);
  driver.placement = "granted";
  const auto granted = accept({text()});
  EXPECT_EQ(fs::path(granted.local_path(0)).parent_path(), granted.directory());
  EXPECT_EQ(entries(workspace), 0u);
}

TEST_F(PlacementTest, WithoutAWorkspaceThereIsNoSuchMode) {
  workspace.clear();
  const InputError error = refuse({text()});
  EXPECT_EQ(error.code(), errc::input_mode_unsupported);
  EXPECT_EQ(error.reason(), "workspace_missing");
  expect_refusal({text().require(Mode::workspace_reference)}, errc::input_mode_unsupported, "workspace_missing");
  expect_refusal({text().require(Mode::native)}, errc::input_mode_unsupported, "mode_unsupported");
  driver.inputs.file.modes.push_back(mode(Mode::native, {"text/plain"}, "text"));
  EXPECT_EQ(accept({text()}).resolved()[0].mode, Mode::native);
  expect_refusal({text().require(Mode::workspace_reference)}, errc::input_mode_unsupported, "workspace_missing");
}

TEST_F(PlacementTest, APlanSaysThatThereIsNoWorkspace) {
  workspace.clear();
  limits.max_input_bytes = 3;
  const Plan result = inputs::plan({text().size(1)}, terms());
  std::vector<std::string> reasons;
  for (const auto& violation : result.inputs.at(0).violations) reasons.push_back(violation.reason);
  EXPECT_EQ(reasons, (std::vector<std::string>{"workspace_missing", "size_mismatch", "input_bytes_limit"}));
  EXPECT_FALSE(result.inputs[0].mode);
}

TEST_F(PlacementTest, AWorkspaceThatCannotBeUsed) {
  const fs::path plain = file("plain", "x");
  const fs::path broken = scratch / "line\nbreak", bytes_only = scratch / "\xff";
  for (const fs::path& made : {broken, bytes_only}) fs::create_directory(made);
  const auto refused = [&](const fs::path& given, std::string_view reason) {
    workspace = given;
    expect_workspace_refused(reason);
  };
  refused("relative", "workspace_unsafe");
  refused(broken, "workspace_unsafe");
  refused(bytes_only, "workspace_unsafe");
  refused(fs::path(scratch.native() + std::string("/workspace\0x", 12)), "workspace_unsafe");
  refused(scratch / "missing", "workspace_failed");
  refused(plain, "workspace_failed");
  fs::create_directory_symlink(broken, scratch / "link");
  refused(scratch / "link", "workspace_unsafe");
  EXPECT_EQ(entries(broken), 0u);
}

TEST_F(PlacementTest, ALinkToTheWorkspaceIsResolvedOnce) {
  const fs::path real = workspace;
  workspace = scratch / "link";
  fs::create_directory_symlink(real, workspace);
  const auto run = accept({text()});
  EXPECT_EQ(fs::path(run.placement()).parent_path(), fs::canonical(real) / ".attache");
  EXPECT_EQ(read_file(run.local_path(0)), content);
}

TEST_F(PlacementTest, AHomeThatIsNotOursIsRefusedAndUntouched) {
  const fs::path elsewhere = scratch / "elsewhere";
  fs::create_directory(elsewhere);
  fs::create_directory_symlink(elsewhere, home());
  expect_workspace_refused("workspace_untrusted");
  EXPECT_EQ(entries(elsewhere), 0u);
  fs::remove(home());
  fs::create_directory_symlink(scratch / "nowhere", home());
  expect_workspace_refused("workspace_untrusted");
  fs::remove(home());
  write_file(home(), "a file");
  expect_workspace_refused("workspace_untrusted");
  EXPECT_EQ(read_file(home()), "a file");
  fs::remove(home());
  fs::create_directory(home());
  for (const mode_t mode : {0720u, 0702u}) {
    ASSERT_EQ(::chmod(home().c_str(), mode), 0);
    expect_workspace_refused("workspace_untrusted");
    EXPECT_EQ(entries(home()), 0u);
    EXPECT_EQ(mode_of(home()), mode);
  }
}

TEST_F(PlacementTest, AHomeOfSomebodyElse) {
  fs::create_directory(home());
  const int code = in_child([&] {
    if (::geteuid() == 0) {
      if (::chown(home().c_str(), 65534, 65534) != 0) return 1;
    } else {
      // Who may not change owners finds a directory of root's to stand for it.
      workspace = "/";
    }
    try {
      accept({text()});
      return 2;
    } catch (const InputError& error) {
      const bool right = error.reason() == "workspace_untrusted" || ::geteuid() != 0;
      return right && error.code() == errc::input_materialization_failed && entries(base) == 0 ? 0 : 3;
    }
  });
  EXPECT_EQ(code, 0);
}

TEST_F(PlacementTest, AnIgnoreFileThatIsNotOursIsRefusedAndAnUnfinishedOneMended) {
  fs::create_directory(home());
  ASSERT_EQ(::chmod(home().c_str(), 0700), 0);
  write_file(home() / ".gitignore", "run-*\n");
  expect_workspace_refused("workspace_untrusted");
  EXPECT_EQ(read_file(home() / ".gitignore"), "run-*\n");
  fs::remove(home() / ".gitignore");
  const fs::path canary = file("canary", "untouched");
  fs::create_symlink(canary, home() / ".gitignore");
  expect_workspace_refused("workspace_untrusted");
  EXPECT_EQ(read_file(canary), "untouched");
  fs::remove(home() / ".gitignore");
  for (const std::string_view half : {"", "*"}) {
    fs::create_directories(home());
    ASSERT_EQ(::chmod(home().c_str(), 0700), 0);
    write_file(home() / ".gitignore", half);
    const auto run = accept({text()});
    EXPECT_EQ(read_file(home() / ".gitignore"), "*\n");
  }
  EXPECT_EQ(entries(workspace), 0u);
}

TEST_F(PlacementTest, TheHomeStaysForOthersAndWhatIsTheirs) {
  auto first = accept({text()});
  {
    const auto second = accept({text()});
    EXPECT_NE(first.placement(), second.placement());
    EXPECT_EQ(entries(home()), 3u);
  }
  EXPECT_EQ(read_file(first.local_path(0)), content);
  EXPECT_EQ(read_file(home() / ".gitignore"), "*\n");
  write_file(home() / "notes", "of the user");
  first.remove();
  EXPECT_EQ(read_file(home() / "notes"), "of the user");
  EXPECT_EQ(entries(home()), 2u);
}

TEST_F(PlacementTest, R_J1_ModesDoNotDependOnTheUmask) {
  EXPECT_EQ(in_child_as_nobody([&] {
              fs::permissions(scratch, fs::perms::all, fs::perm_options::nofollow);
              return 0;
            }) < 1000,
            true);
  ASSERT_EQ(::chmod(workspace.c_str(), 0777), 0);
  EXPECT_EQ(in_child_as_nobody([&] {
              for (const mode_t mask : {0u, 0777u}) {
                ::umask(mask);
                auto run = accept({text()});
                if (mode_of(home()) != 0700 || mode_of(run.placement()) != 0700) return 2;
                if (mode_of(run.local_path(0)) != 0400 || read_file(run.local_path(0)) != content) return 3;
                if (read_file(home() / ".gitignore") != "*\n") return 4;
                run.remove();
                if (entries(workspace) != 0) return 5;
              }
              return 0;
            }),
            0);
}

TEST_F(PlacementTest, WhatTheAgentDoesToTheHomeHarmsNothingElse) {
  const fs::path outside = scratch / "outside";
  fs::create_directory(outside);
  write_file(outside / "kept", "kept");
  auto run = accept({text()});
  const fs::path name = fs::path(run.placement()).filename();
  fs::rename(home(), workspace / "moved");
  fs::create_directory(outside / name);
  write_file(outside / name / "kept", "kept");
  fs::create_directory_symlink(outside, home());
  run.remove();
  EXPECT_EQ(read_file(outside / "kept"), "kept");
  EXPECT_EQ(read_file(outside / name / "kept"), "kept");
  EXPECT_FALSE(fs::exists(workspace / "moved" / name)) << "what was placed is found wherever its directory went";
}

TEST_F(PlacementTest, AFailureAfterPlacingLeavesNothing) {
  Readers readers;
  const auto breaks =
      input::from_opener(Kind::file, "a.txt", opener(readers, std::string(300000, 'x'), [](auto at, auto&) {
                           if (at > 100000) throw std::runtime_error("no more");
                         }));
  expect_refusal({text(), breaks.media_type("text/plain")}, errc::input_materialization_failed, "read_failed");
  EXPECT_EQ(entries(workspace), 0u);
  expect_refusal({text().sha256(digest_of("other"))}, errc::input_digest_mismatch, "digest_mismatch");
  EXPECT_EQ(entries(workspace), 0u);
  EXPECT_EQ(readers.open, 0);
}

TEST_F(PlacementTest, ManyAtOnceShareTheHome) {
  std::array<std::thread, 8> threads;
  std::atomic<int> right{0};
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      for (int i = 0; i < 50; ++i) {
        try {
          const auto run = accept({text()});
          if (read_file(run.local_path(0)) == content && fs::exists(home() / ".gitignore")) ++right;
        } catch (const Error& error) {
          ADD_FAILURE() << error.reason() << ": " << error.what();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 400);
  EXPECT_EQ(entries(workspace), 0u);
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(PlacementTest, R_J2_ABaseInsideOfTheWorkspaceServes) {
  base = workspace / "staging";
  fs::create_directory(base);
  ASSERT_EQ(::chmod(base.c_str(), 0700), 0);
  driver.placement = "granted";
  const auto run = accept({text()});
  EXPECT_EQ(fs::path(run.local_path(0)).parent_path().parent_path(), base);
  EXPECT_EQ(read_file(run.local_path(0)), content);
}

TEST_F(PlacementTest, R_J2_AWorkspaceThatDeniesWritingIsRefusedBeforeTheRun) {
  ASSERT_EQ(::chmod(workspace.c_str(), 0555), 0);
  EXPECT_EQ(in_child_as_nobody([&] {
              try {
                accept({text()});
                return 2;
              } catch (const InputError& error) {
                const bool right =
                    error.code() == errc::input_materialization_failed && error.reason() == "workspace_failed";
                return right && entries(base) == 0 ? 0 : 3;
              }
            }),
            0);
}

}  // namespace
}  // namespace attache::testing
