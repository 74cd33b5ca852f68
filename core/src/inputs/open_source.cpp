// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "inputs/source.hpp"

namespace attache::inputs {

std::unique_ptr<Source> open_source(const input::InputAccess::State& state, const std::stop_token& stop) {
  if (const auto* path = std::get_if<std::filesystem::path>(&state.source)) {
    return open_path(*path, state.follow_links);
  }
  if (const auto* file = std::get_if<input::FileOf>(&state.source)) return open_file_of(*file, stop);
  if (const auto* open = std::get_if<input::Opener>(&state.source)) return open_with(*open, stop);
  return open_bytes(std::get<std::span<const std::byte>>(state.source));
}

}  // namespace attache::inputs
