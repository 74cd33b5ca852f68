// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <attache/descriptor.hpp>

namespace attache::redact {

/// Shorter values are not looked for: they would take common words out of answers.
inline constexpr std::size_t shortest_secret = 8;

/// The strings of a configuration that the descriptor's schema calls secret, at any depth. The configuration satisfies
/// the schema.
std::vector<std::string> config_secrets(const Descriptor& descriptor, std::string_view config_json);

/// The values, as of now, of those environment variables of the descriptor whose names say that they are credentials:
/// a word of the name is KEY, TOKEN, SECRET, PASSWORD or CREDENTIAL(S).
std::vector<std::string> environment_secrets(const Descriptor& descriptor);

/// The spellings of a secret: those of a path, and what is certain of its base64 wherever it stands in the encoded
/// text.
std::vector<std::string> secret_forms(std::string_view secret);

}  // namespace attache::redact
