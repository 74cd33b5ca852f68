// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace attache::codebuddy {

/// Whether the text has an `@token` that names an existing file: the CLI puts such a file's content into the request
/// without asking, from anywhere on the machine. `directory`: where the CLI works; `home`: what `~` stands for.
bool mentions_file(std::string_view text, const std::string& directory, const std::string& home);

/// Whether the text begins with what the CLI may take for a command of its own, and replace: `/init`, not `/usr/bin`.
bool begins_with_command(std::string_view text);

}  // namespace attache::codebuddy
