// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base64_blocks.hpp"

namespace attache::sdk {

/// Only for CPUs with AVX2.
std::size_t base64_encode_avx2(const std::uint8_t* in, std::size_t size, char* out) noexcept;
std::size_t base64_decode_avx2(const unsigned char* in, std::size_t size, std::uint8_t* out) noexcept;

}  // namespace attache::sdk
