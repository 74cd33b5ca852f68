// SPDX-License-Identifier: Apache-2.0
// The limits that goals are ratios to. Each is the plainest code that does the thing; nothing of it is core's.
#pragma once

#include <filesystem>
#include <string_view>

namespace attache::bench {

/// S: SHA-256 of memory.
void hash_memory(std::string_view bytes);

/// W: reads a file and writes a new one, in steps of 256 KiB, without hashing. The copy is left there.
void copy_plainly(const std::filesystem::path& from, const std::filesystem::path& to);

/// P: `size` bytes into a descriptor, in writes of 256 KiB from one buffer.
void write_plainly(int descriptor, std::size_t size);

/// The streaming limit: a file as base64 into a descriptor, in steps of 192 KiB, without hashing.
void stream_plainly(const std::filesystem::path& from, int descriptor);

/// All of it; throws std::system_error.
void write_all(int descriptor, std::string_view bytes);

}  // namespace attache::bench
