// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/scratch.hpp>

namespace attache::sdk {

Scratch::Scratch(std::string_view who) {
  make(who);
}

Scratch::Scratch(Run& run, std::string_view who) : path_(run.private_directory()) {
  if (path_.empty()) make(who);
}

void Scratch::make(std::string_view who) {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (!error) path_ = (base / ("attache-" + std::string(who) + "-XXXXXX")).string();
  if (error || mkdtemp(path_.data()) == nullptr) {
    throw Failure(Status::launch_failed, "scratch_directory", "no private directory can be made for the provider");
  }
  own_ = true;
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (own_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace attache::sdk
