// SPDX-License-Identifier: Apache-2.0
// The words of the JSON form.
#pragma once

#include <string_view>
#include <utility>

#include <attache/message.hpp>

namespace attache::history {

inline constexpr std::pair<Role, std::string_view> kRoles[] = {
    {Role::user, "user"}, {Role::assistant, "assistant"}, {Role::system, "system"}, {Role::tool, "tool"}};

inline constexpr std::pair<input::Kind, std::string_view> kKinds[] = {{input::Kind::image, "image"},
                                                                      {input::Kind::file, "document"},
                                                                      {input::Kind::audio, "audio"},
                                                                      {input::Kind::video, "video"}};

}  // namespace attache::history
