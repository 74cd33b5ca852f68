// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace attache::conformance {

/// A white 1-bit PNG of this size in pixels, without compression: one that any decoder takes.
std::string plain_png(std::uint32_t width, std::uint32_t height);

}  // namespace attache::conformance
