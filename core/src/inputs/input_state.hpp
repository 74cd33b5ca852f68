// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include <attache/input.hpp>

namespace attache::input {

/// A file of a host's own file system.
struct FileOf {
  std::shared_ptr<const FileSystem> files;
  std::string path;
};

struct Url {
  std::string text;
};

/// What a host said of one input.
struct [[gnu::visibility("hidden")]] Input::State {
  Kind kind{};
  std::variant<std::filesystem::path, std::span<const std::byte>, FileOf, Opener, Url> source;
  std::optional<std::string> name;
  std::string media_type;  ///< as given; empty: absent
  std::optional<std::uint64_t> size;
  std::optional<Digest> sha256;
  std::optional<Mode> required;
  std::optional<Fidelity> fidelity;
  bool follow_links = false;
};

/// Core's way into an Input.
class InputAccess {
 public:
  using State = Input::State;
  static const State& state(const Input& input) noexcept { return *input.state_; }
  static Input make(State state);
};

}  // namespace attache::input
