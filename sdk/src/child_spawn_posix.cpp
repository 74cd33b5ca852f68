// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

#include "child_impl_posix.hpp"

namespace attache::sdk {
namespace {

// Three times the throughput of the default when both ends run at once. Users have a budget for it.
constexpr int kPipeSize = 1024 * 1024;

[[noreturn]] void fail_resources() {
  throw SpawnError("resources", errno);
}

struct PipePair {
  Descriptor reader;
  Descriptor writer;
};

PipePair open_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_resources();
  Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  PipePair pair;
  // The other end is closed should one of them fail.
  pair.reader = Descriptor::above_standard(reader.release());
  if (!pair.reader) fail_resources();
  pair.writer = Descriptor::above_standard(writer.release());
  if (!pair.writer) fail_resources();
  return pair;
}

void make_non_blocking(const Descriptor& descriptor) {
  const int flags = ::fcntl(descriptor.get(), F_GETFL);
  if (flags < 0 || ::fcntl(descriptor.get(), F_SETFL, flags | O_NONBLOCK) != 0) fail_resources();
}

struct FileActions {
  posix_spawn_file_actions_t value;
  FileActions() { check(::posix_spawn_file_actions_init(&value)); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&value); }
  static void check(int error) {
    if (error != 0) throw SpawnError("resources", error);
  }
};

struct Attributes {
  posix_spawnattr_t value;
  Attributes() {
    FileActions::check(::posix_spawnattr_init(&value));
    sigset_t signals;
    sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&value, &signals);
    sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&value, &signals);
    ::posix_spawnattr_setpgroup(&value, 0);
    ::posix_spawnattr_setflags(
        &value, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&value); }
};

std::string make_absolute(std::string_view path) {
  if (path.starts_with('/')) return std::string(path);
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  if (error) return {};
  return here.string() + "/" + std::string(path);
}

bool is_executable_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// Missing directory and missing executable are the same error of posix_spawn, so the directory comes first.
Descriptor open_directory(const std::string& path) {
  Descriptor directory = Descriptor::above_standard(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory || ::faccessat(directory.get(), ".", X_OK, AT_EACCESS) != 0) {
    throw SpawnError("working_directory", errno);
  }
  return directory;
}

std::string reason_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
      return "executable_not_found";
    case EACCES:
    case EPERM:
    case ENOEXEC:
    case EISDIR:
    case EINVAL:
    case ETXTBSY:
    case ELIBBAD:
      return "not_executable";
    case E2BIG:
      return "argument_too_long";
    default:
      return "resources";
  }
}

void check_strings(const SpawnOptions& options) {
  const auto bad = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  if (bad(options.executable) || bad(options.working_directory) || std::ranges::any_of(options.arguments, bad) ||
      std::ranges::any_of(options.environment, bad)) {
    throw SpawnError("invalid_string", 0);
  }
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

pid_t start(const SpawnOptions& options, const PipePair& in, const PipePair& out, const PipePair& err) {
  const std::string path = make_absolute(options.executable);
  if (path.empty()) throw SpawnError("executable_not_found", errno);
  FileActions actions;
  Descriptor directory;
  if (!options.working_directory.empty()) {
    directory = open_directory(options.working_directory);
    FileActions::check(::posix_spawn_file_actions_addfchdir_np(&actions.value, directory.get()));
  }
  FileActions::check(::posix_spawn_file_actions_adddup2(&actions.value, in.reader.get(), 0));
  FileActions::check(::posix_spawn_file_actions_adddup2(&actions.value, out.writer.get(), 1));
  FileActions::check(::posix_spawn_file_actions_adddup2(&actions.value, err.writer.get(), 2));
  FileActions::check(::posix_spawn_file_actions_addclosefrom_np(&actions.value, 3));
  const Attributes attributes;
  std::vector<std::string> arguments{path.substr(path.rfind('/') + 1)};
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, path.c_str(), &actions.value, &attributes.value, pointers(arguments).data(),
                                  pointers(options.environment).data());
  if (error != 0) throw SpawnError(reason_of(error), error);
  return pid;
}

}  // namespace

ChildProcess ChildProcess::spawn(const SpawnOptions& options) {
  check_strings(options);
  if (options.executable.find('/') == std::string::npos) throw SpawnError("executable_not_found", ENOENT);
  PipePair in = open_pipe();
  PipePair out = open_pipe();
  PipePair err = open_pipe();
  ::fcntl(in.writer.get(), F_SETPIPE_SZ, kPipeSize);
  ::fcntl(out.writer.get(), F_SETPIPE_SZ, kPipeSize);
  make_non_blocking(in.writer);
  make_non_blocking(out.reader);
  make_non_blocking(err.reader);
  Impl::Pipes ends;
  ends.stop = Descriptor::above_standard(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!ends.stop) fail_resources();
  ends.input = std::move(in.writer);
  ends.output = std::move(out.reader);
  ends.error = std::move(err.reader);
  const pid_t pid = start(options, in, out, err);
  return ChildProcess(std::make_unique<Impl>(pid, std::move(ends)));
}

std::string find_executable(std::string_view name, std::string_view search_path) {
  if (name.find('/') != std::string_view::npos) return make_absolute(name);
  while (!name.empty() && !search_path.empty()) {
    const std::string_view directory = search_path.substr(0, search_path.find(':'));
    search_path.remove_prefix(std::min(directory.size() + 1, search_path.size()));
    if (!directory.starts_with('/')) continue;
    std::string path = std::string(directory) + "/" + std::string(name);
    if (is_executable_file(path)) return path;
  }
  return {};
}

}  // namespace attache::sdk
