// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include "loader/file_policy.hpp"

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

StepResult check_rights(std::uint32_t owner, std::uint32_t permissions, bool directory, Stage stage,
                        const HostOptions& options) {
  const std::string what = directory ? "directory" : "file";
  const std::string prefix = directory ? "directory_" : "";
  if (!options.allow_writable_by_others && (permissions & S_IWOTH) != 0) {
    return {stage, prefix + "writable_by_others", "others may write to the " + what,
            "take the right away (chmod o-w), or allow it with HostOptions::allow_writable_by_others"};
  }
  if (!options.allow_other_owners && owner != 0 && owner != ::geteuid()) {
    return {stage, prefix + "other_owner", "the " + what + " belongs to neither root nor the user",
            "change the owner, or allow it with HostOptions::allow_other_owners"};
  }
  return {};
}

StepResult check_open_directory(const std::filesystem::path& directory, Stage stage, const HostOptions& options) {
  struct stat status {};
  if (::stat(directory.c_str(), &status) != 0) {
    return {stage, "not_found", "there is no such directory, or it cannot be reached", "check the path"};
  }
  if (!S_ISDIR(status.st_mode)) return {stage, "not_a_directory", "it is not a directory", "name a directory"};
  return check_rights(status.st_uid, status.st_mode, true, stage, options);
}

}  // namespace

StepResult check_directory(const std::filesystem::path& directory, const HostOptions& options) {
  if (!directory.is_absolute()) {
    return {Stage::search, "relative_directory", "the directory is named by a relative path",
            "name it by an absolute path"};
  }
  return check_open_directory(directory, Stage::search, options);
}

StepResult check_file(const BoundedFile& file, const HostOptions& options) {
  StepResult result = check_rights(file.facts().owner, file.facts().permissions, false, Stage::file, options);
  if (result.failed()) return result;
  return check_open_directory(file.real_path().parent_path(), Stage::file, options);
}

}  // namespace attache
