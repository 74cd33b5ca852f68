// SPDX-License-Identifier: Apache-2.0
// What to offer a driver, chosen by its descriptor and by what the kit can make.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <attache/descriptor.hpp>
#include <attache/input.hpp>

#include "check/matrix.hpp"

namespace attache::conformance {

/// The kit has a generator for the type.
bool can_make(input::Kind kind, const std::string& media_type);
/// Declared cells that can be sent: made by the kit, and not as a URL.
std::vector<Cell> sendable_cells(const Descriptor& descriptor);
std::optional<input::Kind> undeclared_kind(const Descriptor& descriptor);
/// A type the kit makes and no mode of the kind takes.
std::optional<std::string> undeclared_type(const Descriptor& descriptor, input::Kind kind);
/// native or workspace_reference, whichever the kind lacks for the type.
std::optional<input::Mode> missing_mode(const Descriptor& descriptor, input::Kind kind, const std::string& media_type);
const ModeCapability& capability(const Descriptor& descriptor, const Cell& cell);
/// How many inputs one run may have, by host default and driver; never more than `most`.
std::size_t input_count(const Descriptor& descriptor, const Cell& cell, std::size_t most);
/// The most bytes an input of the cell may have as far as the descriptor says, capped.
std::uint64_t size_allowed(const ModeCapability& mode, std::uint64_t cap);

}  // namespace attache::conformance
