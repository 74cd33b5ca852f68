// SPDX-License-Identifier: Apache-2.0
#include "run/run_place.hpp"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "inputs/fault.hpp"
#include "inputs/run_base.hpp"

namespace attache::run {

RunPlace::RunPlace(inputs::RunInputs& inputs, std::filesystem::path base, Diagnostics diagnostics)
    : inputs_(inputs), base_(std::move(base)), diagnostics_(std::move(diagnostics)) {}

inputs::RunDirectory& RunPlace::own() {
  if (own_ == nullptr) {
    own_ = inputs::RunDirectory::make(inputs::open_run_base(base_), inputs::RunDirectory::Holds::driver_files);
  }
  return *own_;
}

template <class Action>
bool RunPlace::attempt(const Action& action) noexcept {
  try {
    action();
    return true;
  } catch (const inputs::FaultError& error) {
    diagnose(diagnostics_, "write", fmt::format("{}: {}", error.what(), error.fault().detail));
  } catch (const std::exception& error) {
    diagnose(diagnostics_, "write", error.what());
  }
  return false;
}

bool RunPlace::note_group(std::int64_t pgid, std::uint64_t start_time) noexcept {
  return attempt([&] {
    inputs::RunDirectory* const of_inputs = inputs_.run_directory();
    if (of_inputs != nullptr) {
      of_inputs->note_group(pgid, start_time);
    }
    if (of_inputs == nullptr || own_ != nullptr) {
      own().note_group(pgid, start_time);
    }
  });
}

const std::string* RunPlace::private_directory() noexcept {
  const std::string* path = nullptr;
  attempt([&] { path = &own().private_directory(); });
  return path;
}

const std::string& RunPlace::own_path() const noexcept {
  static const std::string none;
  return own_ != nullptr ? own_->path() : none;
}

void RunPlace::remove() noexcept {
  if (own_ != nullptr) {
    own_->remove();
  }
}

}  // namespace attache::run
