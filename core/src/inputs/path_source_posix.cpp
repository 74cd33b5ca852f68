// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "inputs/descriptor_posix.hpp"
#include "inputs/fault.hpp"
#include "inputs/source.hpp"

namespace attache::inputs {
namespace {

bool same_time(const timespec& a, const timespec& b) noexcept {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

std::string detail(const std::string& path, int error) {
  return fmt::format("{}: {}", path, std::system_category().message(error));
}

class PathSource final : public Source {
 public:
  PathSource(FileDescriptor file, const struct stat& opened, std::string path, std::string name)
      : file_(std::move(file)), opened_(opened), path_(std::move(path)), name_(std::move(name)) {}

  std::optional<std::uint64_t> size() const noexcept override { return static_cast<std::uint64_t>(opened_.st_size); }
  std::string name() const override { return name_; }

  std::size_t read(std::span<std::byte> out) override {
    for (;;) {
      const ssize_t count = ::read(file_.get(), out.data(), out.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EINTR) continue;
      throw FaultError(errc::input_materialization_failed, "read_failed", "reading it failed", detail(path_, errno));
    }
  }

  bool unchanged() const noexcept override {
    struct stat now {};
    return ::fstat(file_.get(), &now) == 0 && now.st_dev == opened_.st_dev && now.st_ino == opened_.st_ino &&
           now.st_size == opened_.st_size && same_time(now.st_mtim, opened_.st_mtim);
  }

 private:
  FileDescriptor file_;
  struct stat opened_;
  std::string path_, name_;
};

FaultError open_failed(const std::string& path, int error, bool follow_links) {
  const std::string more = detail(path, error);
  if (error == ELOOP && !follow_links) return {errc::input_invalid, "link_refused", "it is a symbolic link", more};
  if (error == ENXIO) return {errc::input_invalid, "not_regular", "it is not a regular file", more};
  const auto failed = [&](const char* sentence) {
    return FaultError(errc::input_materialization_failed, "open_failed", sentence, more);
  };
  if (error == ENOENT || error == ENOTDIR) return failed("it does not exist");
  if (error == EACCES || error == EPERM) return failed("it may not be read");
  if (error == EMFILE || error == ENFILE) return failed("it cannot be opened: too many open files");
  return failed("it cannot be opened");
}

}  // namespace

std::unique_ptr<Source> open_path(const std::filesystem::path& path, bool follow_links) {
  const std::string& bytes = path.native();
  if (bytes.empty() || bytes.find('\0') != std::string::npos) {
    throw FaultError(errc::input_invalid, "path_invalid", "its path is empty or holds a zero byte");
  }
  // Opening a pipe without a writer, or a terminal, must neither block nor take it over.
  const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follow_links ? 0 : O_NOFOLLOW);
  FileDescriptor file(::open(bytes.c_str(), flags));
  if (!file) throw open_failed(bytes, errno, follow_links);
  struct stat opened {};
  if (::fstat(file.get(), &opened) != 0) throw open_failed(bytes, errno, follow_links);
  if (!S_ISREG(opened.st_mode)) {
    throw FaultError(errc::input_invalid, "not_regular", "it is not a regular file", bytes);
  }
  return std::make_unique<PathSource>(std::move(file), opened, bytes, path.filename().native());
}

}  // namespace attache::inputs
