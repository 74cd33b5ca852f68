// SPDX-License-Identifier: Apache-2.0
// Materializing as a run does it, without a run.
#pragma once

#include <filesystem>
#include <vector>

#include <attache/descriptor.hpp>
#include <attache/input.hpp>

#include "inputs/run_inputs.hpp"

namespace attache::bench {

inline constexpr const char* kMediaType = "application/x-bench";

/// A driver that takes files of kMediaType of any size, and a place for run directories.
class Taker {
 public:
  explicit Taker(std::filesystem::path base);
  inputs::RunInputs take(const std::vector<input::Input>& given) const;

 private:
  Descriptor driver_;
  inputs::Terms terms_;
};

/// The file as a source of each kind.
input::Input as_path(const std::filesystem::path& file);
input::Input as_fs(const std::filesystem::path& file);
input::Input as_opener(const std::filesystem::path& file);

}  // namespace attache::bench
