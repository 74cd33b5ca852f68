// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child_fixture.hpp"

namespace attache::sdk::testing {
namespace {

namespace fs = std::filesystem;

class TempDirectory {
 public:
  TempDirectory() {
    std::string name = (fs::temp_directory_path() / "attache-sdk-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~TempDirectory() { fs::remove_all(path); }
  fs::path path;
};

std::string failure(const SpawnOptions& options) {
  try {
    ChildProcess::spawn(options);
  } catch (const SpawnError& error) {
    EXPECT_EQ(std::string(error.what()).find('/'), std::string::npos) << error.what();
    return error.reason();
  }
  return "started";
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator{}));
}

TEST(ChildSpawn, ArgumentsEnvironmentAndDirectoryArriveAsTheyAre) {
  const TempDirectory directory;
  SpawnOptions options = child({"show", "", "two words", "$HOME;*", "\xff\n"});
  options.environment = {"A=1", "B=", "C=x y"};
  options.working_directory = directory.path.string();
  auto process = ChildProcess::spawn(options);
  const Outcome outcome = pump(process);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_TRUE(outcome.output.starts_with("[show][][two words][$HOME;*][\xff\n]\n{A=1}{B=}{C=x y}\n")) << outcome.output;
  EXPECT_TRUE(outcome.output.ends_with("\n" + fs::canonical(directory.path).string() + "\nleader\n")) << outcome.output;
  EXPECT_TRUE(process.end(std::chrono::seconds(10)).success());
}

TEST(ChildSpawn, RelativeExecutableIsMeantFromTheHostsDirectory) {
  const TempDirectory directory;
  SpawnOptions options = child({"show"});
  options.executable = fs::relative(options.executable).string();
  ASSERT_TRUE(options.executable.find('/') != std::string::npos);
  ASSERT_NE(options.executable.front(), '/');
  options.working_directory = directory.path.string();
  auto process = ChildProcess::spawn(options);
  EXPECT_THAT(pump(process).output, ::testing::HasSubstr("[show]"));
}

TEST(ChildSpawn, FailuresAreTyped) {
  const TempDirectory directory;
  SpawnOptions options = child({});
  options.executable = (directory.path / "missing").string();
  EXPECT_EQ(failure(options), "executable_not_found");
  options.executable = "cat";
  EXPECT_EQ(failure(options), "executable_not_found");

  const fs::path plain = directory.path / "plain";
  std::ofstream(plain) << "#!/bin/sh\n";
  options.executable = plain.string();
  EXPECT_EQ(failure(options), "not_executable");
  options.executable = directory.path.string();
  EXPECT_EQ(failure(options), "not_executable");

  options = child({"show"});
  options.working_directory = (directory.path / "missing").string();
  EXPECT_EQ(failure(options), "working_directory");
  options.working_directory = plain.string();
  EXPECT_EQ(failure(options), "working_directory");
}

TEST(ChildSpawn, StringsWithAZeroByteAreRefused) {
  const std::string zero("a\0b", 3);
  EXPECT_EQ(failure(child({"show", zero})), "invalid_string");
  SpawnOptions options = child({"show"});
  options.environment = {zero};
  EXPECT_EQ(failure(options), "invalid_string");
}

TEST(ChildSpawn, R_F6_ArgumentTooLong) {
  EXPECT_EQ(failure(child({"show", std::string(200'000, 'x')})), "argument_too_long");
  EXPECT_EQ(failure(child({"show", std::string(100'000, 'x')})), "started");
  EXPECT_EQ(failure(child(std::vector<std::string>(500, std::string(100'000, 'x')))), "argument_too_long");
}

TEST(ChildSpawn, FailuresLeakNoDescriptor) {
  const std::size_t before = open_descriptors();
  SpawnOptions options = child({});
  options.working_directory = "/";
  options.executable = "/missing/executable";
  for (int i = 0; i < 10; ++i) EXPECT_EQ(failure(options), "executable_not_found");
  EXPECT_EQ(open_descriptors(), before);
}

TEST(ChildSpawn, SixtyFourAtOnceSeeOnlyTheirThreeStreamsAndLeakNothing) {
  const int inheritable = ::open("/dev/null", O_RDONLY);
  ASSERT_GE(inheritable, 3);
  const std::size_t before = open_descriptors();
  std::vector<std::string> seen(64);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&seen, thread] {
      for (std::size_t i = 0; i < 8; ++i) {
        auto process = ChildProcess::spawn(child({"descriptors"}));
        seen[thread * 8 + i] = pump(process).output;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(seen, ::testing::Each("0 1 2 "));
  EXPECT_EQ(open_descriptors(), before);
  ::close(inheritable);
}

TEST(ChildSpawn, WorksInAHostWithoutStandardStreams) {
  const auto spawn = [] {
    ::close(0);
    ::close(1);
    ::close(2);
    SpawnOptions options = child({"cat"});
    options.working_directory = "/";
    auto process = ChildProcess::spawn(options);
    // What the host prints must not get into a pipe of the child.
    for (int standard = 0; standard < 3; ++standard) {
      if (::fcntl(standard, F_GETFD) >= 0) ::_exit(2);
    }
    process.send(std::make_unique<FakeSource>(100'000));
    process.close_input();
    const Outcome outcome = pump(process);
    ::_exit(outcome.end == PumpEnd::exited && outcome.output.size() == 100'000 ? 0 : 1);
  };
  EXPECT_EXIT(spawn(), ::testing::ExitedWithCode(0), "");
}

TEST(ChildSpawn, SignalsOfTheHostDoNotReachTheChild) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const auto pipe_before = std::signal(SIGPIPE, SIG_IGN);
  const auto interrupt_before = std::signal(SIGINT, SIG_IGN);
  auto process = ChildProcess::spawn(child({"signals"}));
  std::signal(SIGPIPE, pipe_before);
  std::signal(SIGINT, interrupt_before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const std::string output = pump(process).output;
  EXPECT_THAT(output, ::testing::HasSubstr("SigBlk:\t0000000000000000\n"));
  // Signals 32 and 33 belong to the C library.
  const std::size_t at = output.find("SigIgn:\t");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::stoull(output.substr(at + 8, 16), nullptr, 16) & ~0x180000000ull, 0u) << output;
}

TEST(FindExecutable, LooksOnlyInAbsoluteEntriesForExecutableFiles) {
  const TempDirectory directory;
  const fs::path first = directory.path / "first";
  const fs::path second = directory.path / "second";
  fs::create_directories(first / "folder");
  fs::create_directories(second);
  std::ofstream(first / "tool") << "not executable";
  std::ofstream(second / "tool") << "#!/bin/sh\n";
  std::ofstream(second / "folder") << "#!/bin/sh\n";
  fs::permissions(second / "tool", fs::perms::owner_all);
  fs::permissions(second / "folder", fs::perms::owner_all);
  const std::string path = first.string() + "::" + second.string();
  EXPECT_EQ(find_executable("tool", path), (second / "tool").string());
  EXPECT_EQ(find_executable("folder", path), (second / "folder").string());
  EXPECT_EQ(find_executable("other", path), "");
  EXPECT_EQ(find_executable("", path), "");
  EXPECT_EQ(find_executable("./tool", path), fs::current_path().string() + "/./tool");
  const fs::path here = fs::current_path();
  fs::current_path(second);
  EXPECT_EQ(find_executable("tool", ":.:../second"), "");
  fs::current_path(here);
}

}  // namespace
}  // namespace attache::sdk::testing
