// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "loader/elf_image.hpp"

namespace attache::elf {

/// Reads symbols, needed libraries and run paths. `dynamic` is inside of the file and of a segment of `image`.
std::optional<Refusal> read_dynamic(const BoundedFile& file, const Segment& dynamic, Image& image);

}  // namespace attache::elf
