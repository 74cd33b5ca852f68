// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <attache/error.hpp>

namespace attache::inputs {

/// A rule that was broken, not yet tied to an input. The sentence is safe to show: no path, no content.
struct Fault {
  errc code{};
  std::string reason, sentence;
  std::optional<std::uint64_t> limit;
  std::string limit_owner;  ///< "host" or "driver", with limit
  std::string detail{};     ///< for the diagnostic hook only: may hold paths and what others said
};

/// Carries a fault out of code that does not know which input it works for.
class FaultError : public std::exception {
 public:
  explicit FaultError(Fault fault) noexcept : fault_(std::move(fault)) {}
  FaultError(errc code, std::string reason, std::string sentence, std::string detail = {})
      : fault_{code, std::move(reason), std::move(sentence), std::nullopt, {}, std::move(detail)} {}
  const Fault& fault() const noexcept { return fault_; }
  const char* what() const noexcept override { return fault_.sentence.c_str(); }

 private:
  Fault fault_;
};

}  // namespace attache::inputs
