// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <attache/sdk/failure.hpp>

#include "scratch.hpp"

namespace attache::codex {

Scratch::Scratch() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (!error) path_ = (base / "attache-codex-XXXXXX").string();
  if (error || mkdtemp(path_.data()) == nullptr) {
    throw sdk::Failure(sdk::Status::launch_failed, "scratch_directory", "no private directory can be made for codex");
  }
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace attache::codex
