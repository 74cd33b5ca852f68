// SPDX-License-Identifier: Apache-2.0
#include "inputs/run_directory.hpp"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & 07777u : 0u;
}

class RunDirectoryTest : public InputsTest {
 protected:
  const std::string picture = png(1, 1);
  input::Input image() const { return bytes(Kind::image, "image/png", picture); }
  void expect_base_refused(const std::filesystem::path& given, std::string_view reason) {
    base = given;
    expect_refusal({image()}, errc::input_materialization_failed, reason);
  }
  /// The default base that a child with these variables makes; empty when it refused.
  int default_base_in_child(const char* runtime, const std::filesystem::path& temporary,
                            const std::function<int(const std::string&)>& look) {
    return in_child([&] {
      runtime != nullptr ? ::setenv("XDG_RUNTIME_DIR", runtime, 1) : ::unsetenv("XDG_RUNTIME_DIR");
      ::setenv("TMPDIR", temporary.c_str(), 1);
      base.clear();
      try {
        return look(accept({image()}).directory());
      } catch (const InputError& error) {
        return error.reason() == "run_base_untrusted" ? 50 : 51;
      }
    });
  }
};

TEST_F(RunDirectoryTest, R_I4_ModesDoNotDependOnTheUmask) {
  for (const mode_t mask : {0u, 022u, 0777u}) {
    const mode_t before = ::umask(mask);
    const auto run = accept({image()});
    ::umask(before);
    EXPECT_EQ(mode_of(run.directory()), 0700u) << mask;
    EXPECT_EQ(mode_of(run.local_path(0)), 0400u) << mask;
  }
}

TEST_F(RunDirectoryTest, TheIdentityOfACopyIsThatOfItsFileUntilItIsChanged) {
  const auto run = accept({image(), image()});
  for (std::size_t i = 0; i < 2; ++i) {
    const inputs::FileIdentity* const identity = run.identity(i);
    if (identity == nullptr) continue;  // a coarse clock; ACopyHasNoIdentityWhereAChangeMayNotShow has that
    struct stat found {};
    const auto changed = [&] {
      EXPECT_EQ(::stat(run.local_path(i).c_str(), &found), 0);
      return found.st_ctim.tv_sec * std::int64_t{1'000'000'000} + found.st_ctim.tv_nsec;
    };
    EXPECT_EQ(changed(), identity->changed_ns);
    EXPECT_EQ(found.st_dev, identity->device);
    EXPECT_EQ(found.st_ino, identity->inode);
    const int file = ::open(run.local_path(i).c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::fchmod(file, S_IRUSR), 0);
    ::close(file);
    EXPECT_GT(changed(), identity->changed_ns);
  }
}

TEST_F(RunDirectoryTest, R_I4_AUmaskThatForbidsEverythingToAnOrdinaryUser) {
  EXPECT_EQ(in_child_as_nobody([&] {
              ::umask(0777);
              auto run = accept({image()});
              if (mode_of(run.directory()) != 0700 || mode_of(run.local_path(0)) != 0400) return 2;
              if (read_file(run.local_path(0)) != picture) return 3;
              run.remove();
              return entries(base) == 0 ? 0 : 4;
            }),
            0);
}

TEST_F(RunDirectoryTest, R_I4_NamesCannotBeGuessedAndLinksAreNotFollowed) {
  const auto canary = file("canary", "untouched");
  for (int i = 1; i <= 10; ++i) {
    std::filesystem::create_symlink(canary, base / ("input-" + std::to_string(i) + ".png"));
    std::filesystem::create_symlink(canary, base / ("run-" + std::to_string(i)));
  }
  const auto one = accept({image()}), two = accept({image()});
  const auto name = std::filesystem::path(one.directory()).filename().native();
  EXPECT_EQ(name.size(), 4u + 32u);
  EXPECT_NE(one.directory(), two.directory());
  EXPECT_NE(std::filesystem::path(one.local_path(0)).filename(), std::filesystem::path(two.local_path(0)).filename());
  EXPECT_EQ(read_file(canary), "untouched");
  EXPECT_EQ(entries(one.directory()), 1u) << "a run directory holds its inputs and nothing else";
}

TEST_F(RunDirectoryTest, RemoveTakesEverythingAndFollowsNothing) {
  const auto canary = file("canary", "untouched");
  std::filesystem::create_directory(scratch / "outside");
  write_file(scratch / "outside" / "kept", "kept");
  auto run = accept({image()});
  const std::filesystem::path directory = run.directory();
  std::filesystem::create_directories(directory / "deep" / "er");
  write_file(directory / "deep" / "er" / "left.txt", "x");
  std::filesystem::create_symlink(canary, directory / "link");
  std::filesystem::create_directory_symlink(scratch / "outside", directory / "deep" / "out");
  for (int i = 0; i < 300; ++i) write_file(directory / std::to_string(i), "x");
  run.remove();
  EXPECT_EQ(entries(base), 0u);
  EXPECT_EQ(read_file(canary), "untouched");
  EXPECT_EQ(read_file(scratch / "outside" / "kept"), "kept");
  run.remove();
}

TEST_F(RunDirectoryTest, MovesKeepOneOwner) {
  auto first = accept({image()});
  const std::string path = first.local_path(0);
  auto second = std::move(first);
  EXPECT_EQ(read_file(path), picture);
  second = accept({image()});
  EXPECT_FALSE(std::filesystem::exists(path));
  second = inputs::RunInputs();
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(RunDirectoryTest, R_H2_OnlyWhatADeadHostLeftIsSwept) {
  int ready[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  const auto host = [&] {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const auto run = accept({image()});
    const auto name = std::filesystem::path(run.directory()).filename().native();
    if (::write(ready[1], name.data(), name.size()) < 0) ::_exit(1);
    for (;;) ::pause();
  };
  const auto name_of_host = [&] {
    std::string name(36, '\0');
    EXPECT_EQ(::read(ready[0], name.data(), name.size()), 36);
    return name;
  };
  const pid_t dying = host();
  const std::string dead = name_of_host();
  const pid_t living = host();
  const std::string live = name_of_host();
  ::kill(dying, SIGKILL);
  ASSERT_EQ(::waitpid(dying, nullptr, 0), dying);
  const std::string digits(32, 'a');
  write_file(base / ("run-" + digits), "a file with the name of a run directory");
  std::filesystem::create_directory(base / "run-other");
  std::filesystem::create_directory(base / ("RUN-" + digits));
  ASSERT_EQ(entries(base), 5u);
  accept({image()});
  EXPECT_FALSE(std::filesystem::exists(base / dead));
  EXPECT_EQ(entries(base / live), 1u);
  EXPECT_TRUE(std::filesystem::exists(base / ("run-" + digits)));
  EXPECT_TRUE(std::filesystem::exists(base / "run-other"));
  EXPECT_TRUE(std::filesystem::exists(base / ("RUN-" + digits)));
  ::kill(living, SIGKILL);
  ::waitpid(living, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(RunDirectoryTest, R_J2_ABaseThatCannotBeTrustedOrPassed) {
  const auto directory = [&](const std::string& name, std::filesystem::perms mode) {
    std::filesystem::create_directory(scratch / name);
    std::filesystem::permissions(scratch / name, mode);
    return scratch / name;
  };
  using std::filesystem::perms;
  expect_base_refused("relative/base", "run_base_unsafe");
  expect_base_refused(directory("line\nbreak", perms::owner_all), "run_base_unsafe");
  expect_base_refused(directory("\xff", perms::owner_all), "run_base_unsafe");
  expect_base_refused(scratch / "missing", "run_base_failed");
  expect_base_refused(file("plain", "x"), "run_base_untrusted");
  expect_base_refused(directory("group", perms::owner_all | perms::group_write), "run_base_untrusted");
  expect_base_refused(directory("others", perms::all), "run_base_untrusted");
  const auto good = directory("good", perms::owner_all | perms::group_read | perms::group_exec);
  std::filesystem::create_directory_symlink(good, scratch / "link");
  expect_base_refused(scratch / "link", "run_base_untrusted");
  base = good / "";
  expect_delivered(image(), picture);
}

TEST_F(RunDirectoryTest, ABaseOfSomeoneElse) {
  const int code = in_child([&] {
    if (::geteuid() == 0) {
      if (::chown(base.c_str(), 65534, 65534) != 0) return 1;
    } else {
      base = "/usr";
    }
    try {
      accept({image()});
      return 2;
    } catch (const InputError& error) {
      return error.reason() == "run_base_untrusted" ? 0 : 3;
    }
  });
  EXPECT_EQ(code, 0);
}

TEST_F(RunDirectoryTest, TheDefaultBaseIsPrivateAndOurs) {
  const auto runtime = scratch / "runtime", temporary = scratch / "tmp", open = scratch / "open";
  for (const auto& path : {runtime, temporary, open}) std::filesystem::create_directory(path);
  std::filesystem::permissions(runtime, std::filesystem::perms::owner_all);
  std::filesystem::permissions(open, std::filesystem::perms::all);
  const std::string own = "attache-" + std::to_string(::geteuid());
  const auto lies_in = [](const std::filesystem::path& parent) {
    return [parent](const std::string& directory) {
      const std::filesystem::path found = std::filesystem::path(directory).parent_path();
      return found == parent && mode_of(found) == 0700 ? 0 : 1;
    };
  };
  EXPECT_EQ(default_base_in_child(runtime.c_str(), temporary, lies_in(runtime / "attache")), 0);
  EXPECT_EQ(default_base_in_child(nullptr, temporary, lies_in(temporary / own)), 0);
  EXPECT_EQ(default_base_in_child(open.c_str(), temporary, lies_in(temporary / own)), 0);
  EXPECT_EQ(default_base_in_child("relative", temporary, lies_in(temporary / own)), 0);
  const auto trap = scratch / "trap";
  std::filesystem::create_directory(trap);
  std::filesystem::create_directory_symlink(runtime, trap / own);
  EXPECT_EQ(default_base_in_child(nullptr, trap, lies_in(trap / own)), 50);
  std::filesystem::remove(trap / own);
  std::filesystem::create_directory(trap / own);
  std::filesystem::permissions(trap / own, std::filesystem::perms::all);
  EXPECT_EQ(default_base_in_child(nullptr, trap, lies_in(trap / own)), 50);
}

TEST_F(RunDirectoryTest, NoDefaultBaseInATemporaryDirectoryThatOthersMayChange) {
  using std::filesystem::perms;
  const auto shared = scratch / "shared";
  std::filesystem::create_directory(shared);
  const auto taken = [](const std::string&) { return 0; };
  for (const perms wrong :
       {perms::all, perms::owner_all | perms::others_write, perms::owner_all | perms::group_write}) {
    std::filesystem::permissions(shared, wrong);
    EXPECT_EQ(default_base_in_child(nullptr, shared, taken), 50);
    EXPECT_EQ(entries(shared), 0u);
  }
  std::filesystem::permissions(shared, perms::all | perms::sticky_bit);
  EXPECT_EQ(default_base_in_child(nullptr, shared, taken), 0);
  EXPECT_EQ(default_base_in_child(nullptr, scratch / "missing", taken), 51);
}

/// 0: refused as expected and nothing left.
int disk_full_outcome(const std::function<void()>& attempt, const std::filesystem::path& base) {
  try {
    attempt();
    return 10;
  } catch (const InputError& error) {
    if (error.code() != errc::input_materialization_failed || error.reason() != "disk_full") return 11;
  }
  return entries(base) == 0 ? 0 : 12;
}

TEST_F(RunDirectoryTest, AFileThatMayNotGrowIsADiskThatIsFull) {
  const std::string large = png_padded(300000), small = png_padded(1000);
  const auto attempt = [&] { accept({bytes(Kind::image, "image/png", large)}); };
  EXPECT_EQ(in_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100000, 100000};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
              accept({bytes(Kind::image, "image/png", small)});
              return disk_full_outcome(attempt, base);
            }),
            0);
}

}  // namespace
}  // namespace attache::testing
