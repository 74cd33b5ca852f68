// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "descriptor/capability_reader.hpp"
#include "sample.hpp"

namespace attache::test {
namespace {

TEST(Capabilities, MediaTypePatterns) {
  ModeCapability mode;
  EXPECT_TRUE(mode.takes("application/pdf"));  // no narrower guarantee
  mode.media_types = {"image/png", "text/*"};
  EXPECT_TRUE(mode.takes("image/png"));
  EXPECT_TRUE(mode.takes("text/plain"));
  EXPECT_FALSE(mode.takes("image/jpeg"));
  EXPECT_FALSE(mode.takes("text/"));
  EXPECT_FALSE(mode.takes("textual/plain"));
  EXPECT_FALSE(mode.takes("image/png2"));
}

TEST(Capabilities, OfEachKind) {
  InputCapabilities inputs;
  inputs.image.alternative = "image";
  inputs.file.alternative = "file";
  inputs.of(input::Kind::audio).alternative = "audio";
  inputs.of(input::Kind::video).alternative = "video";
  const InputCapabilities& same = inputs;
  for (const auto kind : {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video}) {
    EXPECT_EQ(same.of(kind).alternative, input::to_string(kind));
    EXPECT_EQ(&same.of(kind), &inputs.of(kind));
  }
}

TEST(Capabilities, DocumentOfADriver) {
  const Descriptor descriptor = parse(sample()).descriptor.value();
  Json document;
  document["inputs"] = sample()["inputs"];
  document["inputs"]["image"]["modes"] = Json::array();
  const CapabilitiesParse kept = parse_capabilities(document.dump(), descriptor);
  ASSERT_TRUE(kept.capabilities.has_value()) << listing(kept.faults);
  EXPECT_TRUE(kept.capabilities->image.modes.empty());
  EXPECT_EQ(kept.capabilities->limits.max_count, 100U);  // without "limits": those of the descriptor
  document["limits"] = {{"max_count", 3}};
  const CapabilitiesParse own = parse_capabilities(document.dump(), descriptor);
  ASSERT_TRUE(own.capabilities.has_value()) << listing(own.faults);
  EXPECT_EQ(own.capabilities->limits.max_count, 3U);
  EXPECT_FALSE(own.capabilities->limits.max_total_bytes.has_value());
  document["id"] = "x";
  document["inputs"].erase("audio");
  const CapabilitiesParse bad = parse_capabilities(document.dump(), descriptor);
  EXPECT_FALSE(bad.capabilities.has_value());
  EXPECT_TRUE(has_fault(bad.faults, "/id") && has_fault(bad.faults, "/inputs/audio")) << listing(bad.faults);
}

}  // namespace
}  // namespace attache::test
