// SPDX-License-Identifier: Apache-2.0
// What makes two agents able to continue each other's threads.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <attache/descriptor.hpp>

namespace attache::threads {

/// SHA-256, in hex, of the driver's id, the SPI's major, the configuration and the workspace. Of the configuration
/// neither the order of its keys nor what its schema calls secret or volatile counts. Inputs and prompts take no part.
/// `config_json` satisfies the driver's schema.
std::string fingerprint(const Descriptor& descriptor, std::string_view config_json,
                        const std::filesystem::path& workspace);

/// The name of a thread that a driver is shown: SHA-256, in hex. Tells nothing of the key to who has not the salt.
std::string opaque_id(std::string_view salt, std::string_view key);

}  // namespace attache::threads
