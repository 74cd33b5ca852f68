// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "inputs/run_directory.hpp"
#include "inputs/run_inputs.hpp"
#include "run/diagnose.hpp"

namespace attache::run {

/// Where a run keeps what its driver asks for. The driver's files never lie beside the inputs: a provider is told where
/// its own files go, and must not learn where the inputs are. One call at a time.
class RunPlace {
 public:
  /// `inputs` outlives it.
  RunPlace(inputs::RunInputs& inputs, std::filesystem::path base, Diagnostics diagnostics);

  /// False: it could not be noted.
  bool note_group(std::int64_t pgid, std::uint64_t start_time) noexcept;
  /// The private directory; null when it could not be made. Stays where it is until remove().
  const std::string* private_directory() noexcept;
  /// The directory made for the driver's files or for the record of a run without inputs; empty when there is none.
  const std::string& own_path() const noexcept;
  void remove() noexcept;

 private:
  inputs::RunDirectory& own();
  template <class Action>
  bool attempt(const Action& action) noexcept;

  inputs::RunInputs& inputs_;
  const std::filesystem::path base_;
  const Diagnostics diagnostics_;
  std::unique_ptr<inputs::RunDirectory> own_;
};

}  // namespace attache::run
