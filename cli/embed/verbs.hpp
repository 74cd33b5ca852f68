// SPDX-License-Identifier: Apache-2.0
// The two verbs of attache-embed-descriptor. Both write faults to standard error and return an exit code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace embed {

/// The file's bytes, up to one more than a descriptor may have. Empty: it cannot be read (said on standard error).
std::optional<std::string> read_document(const std::filesystem::path& path);

/// Checks a descriptor document and writes a C file that defines attache_descriptor_v1 with it.
int embed(const std::filesystem::path& document, const std::filesystem::path& out);

/// Checks that a linked driver exports exactly its two symbols and holds the document.
int verify(const std::filesystem::path& library, const std::filesystem::path& document);

}  // namespace embed
