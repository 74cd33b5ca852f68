// SPDX-License-Identifier: Apache-2.0
#include "support/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace attache::bench {
namespace {

[[noreturn]] void fail(const char* what, int error = errno) {
  throw std::system_error(error, std::generic_category(), what);
}

std::array<int, 2> open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  return ends;
}

void shut(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

}  // namespace

PlainChild::PlainChild(const std::filesystem::path& executable, const std::vector<std::string>& arguments) {
  ::signal(SIGPIPE, SIG_IGN);
  auto in = open_pipe(), out = open_pipe(), err = open_pipe();
  ::fcntl(in[1], F_SETPIPE_SZ, 1 << 20);
  std::string name = executable.native();
  std::vector<char*> argv{name.data()};
  for (const std::string& one : arguments) argv.push_back(const_cast<char*>(one.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  const int failed = ::posix_spawn(&pid_, name.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  for (int* end : {&in[0], &out[1], &err[1]}) shut(*end);
  input_ = in[1];
  output_ = out[0];
  error_ = err[0];
  if (failed != 0) fail("posix_spawn", failed);
}

PlainChild::~PlainChild() {
  for (int* end : {&input_, &output_, &error_}) shut(*end);
  if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
}

std::string PlainChild::read_until(char mark) const {
  std::string all;
  std::array<char, 4096> buffer{};
  while (all.find(mark) == std::string::npos) {
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count < 0) fail("read");
    if (count == 0) break;
    all.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return all;
}

void PlainChild::close_input() {
  shut(input_);
}

void PlainChild::finish() {
  close_input();
  read_until('\0');
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_) fail("waitpid");
  pid_ = -1;
  if (status != 0) throw std::runtime_error("a child process failed");
}

std::vector<double> in_fork(const std::function<std::vector<double>()>& body) {
  auto ends = open_pipe();
  std::fflush(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    try {
      const std::vector<double> found = body();
      const std::size_t size = found.size() * sizeof(double);
      ::_exit(::write(ends[1], found.data(), size) == static_cast<ssize_t>(size) ? 0 : 3);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      ::_exit(2);
    }
  }
  shut(ends[1]);
  std::array<double, 64> numbers{};
  const ssize_t size = ::read(ends[0], numbers.data(), sizeof numbers);
  shut(ends[0]);
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid || status != 0 || size < 0)
    throw std::runtime_error("a measuring child failed");
  return {numbers.begin(), numbers.begin() + size / static_cast<ssize_t>(sizeof(double))};
}

std::filesystem::path beside_us(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

std::filesystem::path build_prefix() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

}  // namespace attache::bench
