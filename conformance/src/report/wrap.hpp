// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace attache::conformance {

/// Breaks a text at spaces so that no line is wider than `width` where that is possible; the first begins with
/// `indent`, the others with as many spaces.
std::string wrap(const std::string& indent, const std::string& text, std::size_t width);

}  // namespace attache::conformance
