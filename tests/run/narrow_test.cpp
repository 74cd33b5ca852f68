// SPDX-License-Identifier: Apache-2.0
#include "run/narrow.hpp"

#include <gtest/gtest.h>

namespace attache::run {
namespace {

InputCapabilities whole() {
  InputCapabilities out;
  ModeCapability native;
  native.media_types = {"image/png", "image/*"};
  native.max_bytes = 1000;
  native.encoding = "base64";
  native.exact = ExactBounds{};
  native.exact->max_bytes = 100;
  native.exact->media_types = {"image/png"};
  out.image.modes.push_back(native);
  out.image.alternative = "Send a PNG.";
  out.limits.max_count = 5;
  return out;
}

bool widens(const InputCapabilities& part) {
  std::string fault;
  return !narrow(whole(), part, fault).has_value() && !fault.empty();
}

TEST(Narrow, TheSameIsNoWidening) {
  EXPECT_FALSE(widens(whole()));
}

TEST(Narrow, AbsentLimitsKeepThoseOfTheDescriptor) {
  InputCapabilities part = whole();
  part.image.modes[0].max_bytes.reset();
  part.image.modes[0].exact.reset();
  part.image.modes[0].media_types.clear();
  part.image.alternative.clear();
  part.limits.max_count.reset();
  std::string fault;
  const auto out = narrow(whole(), part, fault);
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->image.modes[0].max_bytes, 1000U);
  EXPECT_EQ(out->image.modes[0].exact->max_bytes, 100U);
  EXPECT_EQ(out->image.modes[0].media_types.size(), 2U);
  EXPECT_EQ(out->image.alternative, "Send a PNG.");
  EXPECT_EQ(out->limits.max_count, 5U);
}

TEST(Narrow, SmallerIsTaken) {
  InputCapabilities part = whole();
  part.image.modes[0].max_bytes = 10;
  part.image.modes[0].media_types = {"image/webp"};
  std::string fault;
  const auto out = narrow(whole(), part, fault);
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->image.modes[0].max_bytes, 10U);
  EXPECT_EQ(out->image.modes[0].media_types, std::vector<std::string>{"image/webp"});
}

TEST(Narrow, EveryWideningIsSeen) {
  InputCapabilities kind = whole();
  kind.audio.modes.push_back({});
  EXPECT_TRUE(widens(kind));
  InputCapabilities mode = whole();
  mode.image.modes.emplace_back().mode = input::Mode::workspace_reference;
  EXPECT_TRUE(widens(mode));
  InputCapabilities type = whole();
  type.image.modes[0].media_types = {"application/pdf"};
  EXPECT_TRUE(widens(type));
  InputCapabilities pattern = whole();
  pattern.image.modes[0].media_types = {"audio/*"};
  EXPECT_TRUE(widens(pattern));
  InputCapabilities bytes = whole();
  bytes.image.modes[0].max_bytes = 1001;
  EXPECT_TRUE(widens(bytes));
  InputCapabilities exact = whole();
  exact.image.modes[0].exact->max_bytes = 101;
  EXPECT_TRUE(widens(exact));
  InputCapabilities kept = whole();
  kept.image.modes[0].exact->media_types = {"image/gif"};
  EXPECT_TRUE(widens(kept));
  InputCapabilities count = whole();
  count.limits.max_count = 6;
  EXPECT_TRUE(widens(count));
}

}  // namespace
}  // namespace attache::run
