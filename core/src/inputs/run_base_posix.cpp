// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs/descriptor_posix.hpp"
#include "inputs/fault.hpp"
#include "inputs/run_base.hpp"
#include "inputs/run_sweep.hpp"
#include "inputs/utf8.hpp"

namespace attache::inputs {
namespace {

FaultError base_fault(const char* reason, const char* sentence) {
  return {errc::input_materialization_failed, reason, sentence};
}

bool is_safe(std::string_view path) noexcept {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return std::none_of(path.begin(), path.end(), control) && is_utf8(path);
}

bool is_own_directory(const struct stat& found) noexcept {
  return S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() && (found.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The value of a variable that names an absolute directory; empty when it does not.
std::string directory_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && value[0] == '/' && is_safe(value) ? value : "";
}

/// Whoever may rename our directory there can put one of his own in its place.
void check_parent(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
    throw base_fault("run_base_failed", "the temporary directory for the base of run directories cannot be used");
  }
  const bool shared = (found.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (found.st_mode & S_ISVTX) == 0;
  if (shared || (found.st_uid != ::geteuid() && found.st_uid != 0)) {
    throw base_fault("run_base_untrusted",
                     "the temporary directory belongs to someone else, or others may write to it and it is not sticky, "
                     "so that no base of run directories is safe there; set TMPDIR, XDG_RUNTIME_DIR or run_base");
  }
}

std::string default_base() {
  const std::string runtime = directory_variable("XDG_RUNTIME_DIR");
  struct stat found {};
  // After a change of user the variable often still names the directory of the one before.
  if (!runtime.empty() && ::stat(runtime.c_str(), &found) == 0 && is_own_directory(found)) return runtime + "/attache";
  std::string temporary = directory_variable("TMPDIR");
  if (temporary.empty()) temporary = "/tmp";
  check_parent(temporary);
  return fmt::format("{}/attache-{}", temporary, ::geteuid());
}

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

RunBase::RunBase(RunBase&& other) noexcept
    : directory(std::exchange(other.directory, -1)), path(std::move(other.path)) {}
RunBase::~RunBase() {
  if (directory >= 0) ::close(directory);
}

RunBase open_run_base(const std::filesystem::path& configured) {
  const bool own = configured.empty();
  const std::string path = own ? default_base() : without_trailing_slashes(configured.native());
  if (path.front() != '/' || !is_safe(path)) {
    throw base_fault("run_base_unsafe", "the base of run directories has no path that can be passed safely");
  }
  if (own && ::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    throw base_fault("run_base_failed", "the base of run directories cannot be made");
  }
  FileDescriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (!directory && (errno == ELOOP || errno == ENOTDIR)) {
    throw base_fault("run_base_untrusted", "the base of run directories is not a directory, or a link to one");
  }
  if (!directory || ::fstat(directory.get(), &found) != 0) {
    throw base_fault("run_base_failed", "the base of run directories cannot be opened");
  }
  if (!is_own_directory(found)) {
    throw base_fault("run_base_untrusted",
                     "the base of run directories belongs to someone else, or others may write to it");
  }
  sweep_at_first_use(directory.get(), path);
  RunBase base;
  base.directory = directory.release();
  base.path = path;
  return base;
}

}  // namespace attache::inputs
