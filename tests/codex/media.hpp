// SPDX-License-Identifier: Apache-2.0
// Input files and an independent look at what went over the wire.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace attache::testing {

using Digest = std::array<std::uint8_t, 32>;

Digest digest_of(const std::string& bytes);
/// Throws unless `text` is strict base64 without white space.
std::string decode_base64(const std::string& text);
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& bytes);
/// `size` bytes that begin as a PNG or PDF does; different for each seed.
std::string bytes_of(std::size_t size, unsigned seed);
/// A PNG's signature and header with these sides; nothing of it needs more.
std::string png_that_claims(std::uint32_t width, std::uint32_t height);

}  // namespace attache::testing
