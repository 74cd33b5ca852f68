// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/command.hpp"

namespace attache::test {
namespace {

void require(bool good, const char* what) {
  if (!good) {
    throw std::system_error(errno, std::generic_category(), what);
  }
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  require(::pipe2(ends.data(), O_CLOEXEC) == 0, "pipe2");
  return ends;
}

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) {
    ::close(descriptor);
    descriptor = -1;
  }
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& text : strings) {
    list.push_back(text.data());
  }
  list.push_back(nullptr);
  return list;
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const CommandOptions& options) : pending_input_(options.input) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in = make_pipe(), out{}, err{-1, -1};
  if (options.terminal) {
    require(::openpty(&out[0], &out[1], nullptr, nullptr, nullptr) == 0, "openpty");
    ::fcntl(out[0], F_SETFD, FD_CLOEXEC);
    ::fcntl(out[1], F_SETFD, FD_CLOEXEC);
  } else {
    out = make_pipe();
    err = make_pipe();
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, options.terminal ? out[1] : err[1], 2);
  if (!options.directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, options.directory.c_str());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults, none;
  sigemptyset(&defaults);
  sigemptyset(&none);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  std::vector<std::string> words = arguments, variables = options.environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  const int failed = ::posix_spawnp(&pid_, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                    pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  close_descriptor(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  if (failed != 0) {
    pid_ = -1;
    throw std::system_error(failed, std::generic_category(), "posix_spawnp");
  }
  ::fcntl(in_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  close_descriptor(in_);
  close_descriptor(out_);
  close_descriptor(err_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

bool Child::read_some() {
  if (pending_input_.empty()) {
    close_descriptor(in_);
  }
  std::array<pollfd, 3> waits{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}, pollfd{in_, POLLOUT, 0}};
  if (out_ < 0 && err_ < 0) {
    return false;
  }
  require(::poll(waits.data(), waits.size(), -1) > 0 || errno == EINTR, "poll");
  if (waits[2].revents != 0) {
    const ssize_t written = ::write(in_, pending_input_.data(), pending_input_.size());
    pending_input_.erase(
        0, written < 0 ? (errno == EAGAIN ? 0 : pending_input_.size()) : static_cast<std::size_t>(written));
  }
  for (const bool is_out : {true, false}) {
    if (waits[is_out ? 0 : 1].revents != 0) {
      std::array<char, 65536> buffer{};
      int& descriptor = is_out ? out_ : err_;
      const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
      if (count <= 0) {  // a terminal whose other side is gone says EIO
        close_descriptor(descriptor);
      } else {
        (is_out ? finished_.out : finished_.err).append(buffer.data(), static_cast<std::size_t>(count));
      }
    }
  }
  return true;
}

bool Child::wait_for_output(std::string_view text) {
  while (finished_.out.find(text) == std::string::npos) {
    if (!read_some()) {
      return false;
    }
  }
  return true;
}

void Child::send_signal(int signal) const {
  require(::kill(pid_, signal) == 0, "kill");
}

void Child::close_output() {
  close_descriptor(out_);
}

Finished Child::wait() {
  while (read_some()) {
  }
  int status = 0;
  require(::waitpid(pid_, &status, 0) == pid_, "waitpid");
  pid_ = -1;
  finished_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  finished_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return finished_;
}

Finished run_command(const std::vector<std::string>& arguments, const CommandOptions& options) {
  return Child(arguments, options).wait();
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "attache-test-XXXXXX").string();
  require(::mkdtemp(pattern.data()) != nullptr, "mkdtemp");
  path_ = std::filesystem::canonical(pattern).string();
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, std::string_view content) const {
  const std::filesystem::path path = std::filesystem::path(path_) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream.flush()) {
    throw std::runtime_error("cannot write a test file");
  }
  return path.string();
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace attache::test
