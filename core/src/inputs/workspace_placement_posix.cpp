// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "inputs/fault.hpp"
#include "inputs/utf8.hpp"
#include "inputs/workspace_placement.hpp"
#include "inputs/workspace_placement_home.hpp"
#include "inputs/workspace_placement_record.hpp"

namespace attache::inputs {
namespace {

FaultError fault(const char* reason, const char* sentence, std::string detail = {}) {
  return {errc::input_materialization_failed, reason, sentence, std::move(detail)};
}

bool can_be_passed(std::string_view path) noexcept {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return std::none_of(path.begin(), path.end(), control) && is_utf8(path);
}

/// The path without links in it: the one that a provider's sandbox sees.
std::string resolved(const std::filesystem::path& given) {
  constexpr const char* unsafe = "the workspace has no absolute path that can be passed safely";
  if (!given.is_absolute() || !can_be_passed(given.native())) throw fault("workspace_unsafe", unsafe);
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(given, error);
  if (error) throw fault("workspace_failed", "the workspace cannot be opened", error.message());
  if (!can_be_passed(path.native())) throw fault("workspace_unsafe", unsafe);
  return path.native();
}

class PosixPlacement final : public WorkspacePlacement {
 public:
  PosixPlacement(FileDescriptor workspace, const std::string& path, RunDirectory& run)
      : workspace_(std::move(workspace)) {
    try {
      const FileDescriptor home = lock_home(workspace_.get());
      RunBase base;
      base.directory = ::openat(home.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      base.path = (path == "/" ? path : path + "/") + home_name;
      if (base.directory < 0) throw fault("workspace_failed", "\".attache\" in the workspace cannot be opened");
      directory_ = RunDirectory::make(std::move(base));
      const std::string& made = directory_->path();
      record_directory(run, home.get(), made.substr(made.rfind('/') + 1));
    } catch (...) {
      PosixPlacement::remove();
      throw;
    }
  }
  ~PosixPlacement() override { PosixPlacement::remove(); }

  RunDirectory& directory() noexcept override { return *directory_; }

  void remove() noexcept override {
    if (!workspace_) return;
    if (directory_) directory_->remove();
    FileDescriptor home;
    if (lock_present_home(workspace_.get(), home) == HomeState::locked) {
      remove_home_if_empty(workspace_.get(), home.get());
    }
    workspace_ = FileDescriptor();
  }

 private:
  FileDescriptor workspace_;
  std::unique_ptr<RunDirectory> directory_;
};

}  // namespace

std::unique_ptr<WorkspacePlacement> WorkspacePlacement::make(const std::filesystem::path& workspace,
                                                             RunDirectory& run) {
  const std::string path = resolved(workspace);
  FileDescriptor directory = open_exactly(path);
  if (!directory) {
    const int error = errno;
    throw fault("workspace_failed",
                error == ENOTDIR ? "the workspace is not a directory" : "the workspace cannot be opened",
                std::system_category().message(error));
  }
  // Before there is anything to be found by it.
  record_workspace(run, path, directory.get());
  return std::make_unique<PosixPlacement>(std::move(directory), path, run);
}

}  // namespace attache::inputs
