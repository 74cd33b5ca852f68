// SPDX-License-Identifier: Apache-2.0
// Media made for one check, valid and never the same twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <attache/input.hpp>

namespace attache::conformance {

/// A generated file: valid for its type, with `mark` (32 fresh random bytes; text types: 64 hex characters) inside,
/// so that its bytes can be found wherever they turn up.
struct Canary {
  input::Kind kind{};
  std::string media_type;
  std::string name;  ///< display name with the type's usual extension
  std::filesystem::path path;
  std::uint64_t size = 0;
  input::Digest sha256{};
  std::string mark;
};

/// Fresh randomness from a seed: the same seed gives the same sequence.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::string bytes(std::size_t count);

 private:
  std::uint64_t state_;
};

/// The types this kit can make, of one kind.
std::vector<std::string> canary_types(input::Kind kind);

/// Writes a canary into `directory` (which must exist), under a fresh name; streamed, any size. It has exactly
/// `size` bytes from canary_min_exact_size() on; 0 gives the smallest, and so does a wish that is too small. Throws
/// std::invalid_argument for a type it cannot make, std::system_error when the file cannot be written.
Canary make_canary(input::Kind kind, std::string_view media_type, std::uint64_t size, Random& random,
                   const std::filesystem::path& directory);

/// From this size on every size is met to the byte.
constexpr std::uint64_t canary_min_exact_size() {
  return 4096;
}

}  // namespace attache::conformance
