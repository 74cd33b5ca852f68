// SPDX-License-Identifier: Apache-2.0
// The history of one call: checked, and its parts on their way to a driver.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <attache/input.hpp>
#include <attache/message.hpp>

#include "inputs/run_inputs.hpp"

namespace attache::run {

/// Throws InputError: what Message::validate() throws, and reference_unresolved (input_materialization_failed) where
/// there is a reference and no resolver.
void check_history(const std::vector<Message>& messages, bool has_resolver);

/// The parts of all messages in their order, as inputs. Lends the inline data of `messages`.
std::vector<input::Input> parts_of(const std::vector<Message>& messages, const PartResolver& resolver);

/// Materializes the parts; faults name message and part. `terms` are those of inputs, under the limits of histories.
inputs::RunInputs materialize_history(const std::vector<Message>& messages, const std::vector<input::Input>& parts,
                                      inputs::Terms terms, std::stop_token stop);

/// Bytes that the history takes as it is sent.
std::uint64_t encoded_bytes(const std::vector<Message>& messages, const inputs::RunInputs& parts,
                            const InputCapabilities& capabilities);

/// What with_history keeps of a healthy turn. Everything that was copied is a reference.
std::vector<Message> conversation(const std::vector<Message>& history, const inputs::RunInputs& parts,
                                  const std::string& prompt, const inputs::RunInputs& inputs,
                                  const std::string& answer);

}  // namespace attache::run
