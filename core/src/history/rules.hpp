// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <attache/error.hpp>
#include <attache/message.hpp>

namespace attache::history {

/// A rule that a message breaks. The sentence is safe to show.
struct Fault {
  std::string_view reason, sentence;
};

std::optional<Fault> fault_of(const Part& part);
/// Of the message alone, without its parts.
std::optional<Fault> fault_of(const Message& message);

/// Normalized; application/octet-stream stays what it is. The type is well-formed.
std::string media_type_of(const Part& part);

/// Throws InputError (input_invalid); `place` says where, e.g. "message 2, part 1: ".
[[noreturn]] void refuse(const Fault& fault, const std::string& place, std::optional<input::Kind> kind);

/// The place of a message, and of a part of it; both count from 1.
std::string place_of(std::size_t message);
std::string place_of(std::size_t message, std::size_t part);

/// What Message::validate() does, with the message's place in the history.
void check(const Message& message, std::size_t place);

}  // namespace attache::history
