// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <attache/error.hpp>
#include <attache/message.hpp>
#include <attache/sdk/sha256.hpp>

namespace attache::testing {

inline std::vector<std::byte> bytes(std::string_view text) {
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

inline Part data_part(std::string_view content = "content") {
  Part part;
  part.kind = input::Kind::image;
  part.media_type = "image/png";
  part.data = bytes(content);
  return part;
}

inline Part url_part(std::string url = "https://example.com/a.png") {
  Part part;
  part.kind = input::Kind::image;
  part.url = std::move(url);
  return part;
}

inline Part reference_part(std::string_view content = "content") {
  Part part;
  part.kind = input::Kind::file;
  part.media_type = "application/pdf";
  part.reference = ContentReference{sdk::sha256(content), content.size()};
  return part;
}

inline Message message(Role role, std::string text, std::vector<Part> parts = {}) {
  Message made;
  made.role = role;
  made.text = std::move(text);
  made.parts = std::move(parts);
  return made;
}

/// The reason of the InputError that `work` throws.
template <class Work>
std::string refusal(const Work& work, errc code = errc::input_invalid) {
  try {
    work();
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
    return error.reason();
  }
  return "nothing was thrown";
}

}  // namespace attache::testing
