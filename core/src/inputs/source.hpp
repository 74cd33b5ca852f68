// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "inputs/input_state.hpp"

namespace attache::inputs {

/// An open source. Read once, from its beginning; closed by its destructor. One thread.
class Source {
 public:
  virtual ~Source() = default;
  /// Bytes it will give, where it can tell.
  virtual std::optional<std::uint64_t> size() const noexcept = 0;
  /// The last part of its own name, any bytes; empty: it has none.
  virtual std::string name() const = 0;
  /// Puts bytes at the start of `out`; 0: the end. Throws FaultError.
  virtual std::size_t read(std::span<std::byte> out) = 0;
  /// False when it was changed since it was opened, as far as can be told.
  virtual bool unchanged() const noexcept = 0;
};

/// Opens what the input names; never one that is a URL. `stop` is for the host's own sources, which may block.
/// Throws FaultError.
std::unique_ptr<Source> open_source(const input::InputAccess::State& state, const std::stop_token& stop);

std::unique_ptr<Source> open_path(const std::filesystem::path& path, bool follow_links);
std::unique_ptr<Source> open_bytes(std::span<const std::byte> bytes);
std::unique_ptr<Source> open_file_of(const input::FileOf& file, const std::stop_token& stop);
std::unique_ptr<Source> open_with(const input::Opener& open, const std::stop_token& stop);

/// Relative, `/`-separated, without empty, "." and ".." components and without a zero byte.
bool is_path_in_file_system(std::string_view path) noexcept;

}  // namespace attache::inputs
