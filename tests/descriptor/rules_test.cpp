// SPDX-License-Identifier: Apache-2.0
// Every rule of the schema and every truth rule, each broken once in an otherwise good document.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace attache::test {
namespace {

TEST(DescriptorRules, EveryKeyIsRead) {
  const std::string text = sample().dump();
  const DescriptorParse result = parse_descriptor(text);
  ASSERT_TRUE(result.descriptor.has_value()) << listing(result.faults);
  const Descriptor& d = *result.descriptor;
  EXPECT_EQ(d.json, text);
  EXPECT_EQ(d.id + d.name + d.version, "sampleSample1.2.3-rc.1+build.5");
  EXPECT_EQ(d.publisher + d.license, "SomebodyApache-2.0");
  EXPECT_EQ(d.spi_major, 1U);
  EXPECT_EQ(d.spi_built_minor, 4U);
  EXPECT_EQ(d.spi_min_minor, 0U);
  EXPECT_EQ(d.transport + " " + d.protocol + " " + d.transport_option, "process sample-lines executable");
  EXPECT_EQ(d.transport_test_config, R"({"model":"test"})");
  EXPECT_EQ(d.placement, "granted");
  EXPECT_TRUE(d.features.resume && d.features.fork && d.features.cancel && d.features.streaming &&
              d.features.structured_output && d.features.history && d.features.receipts && d.retains_inputs);
  EXPECT_EQ(d.features.url_schemes, std::vector<std::string>{"https"});
  EXPECT_EQ(d.max_parallel_runs, 8U);
  EXPECT_EQ(d.environment, std::vector<std::string>{"SAMPLE_KEY"});
  EXPECT_EQ(Json::parse(d.config_schema), sample()["config"]);
  const SetLimits& limits = d.inputs.limits;
  EXPECT_EQ(limits.max_count, 100U);
  EXPECT_EQ(limits.max_total_bytes, 20'000'000U);
  EXPECT_EQ(limits.max_total_encoded_bytes, 30'000'000U);
  EXPECT_EQ(limits.many_images.value().above, 20U);
  EXPECT_EQ(limits.many_images.value().max_side_px, 2000U);
}

TEST(DescriptorRules, EveryKeyOfAModeIsRead) {
  const DescriptorParse result = parse(sample());
  ASSERT_TRUE(result.descriptor.has_value()) << listing(result.faults);
  const InputCapabilities& inputs = result.descriptor->inputs;
  ASSERT_EQ(inputs.image.modes.size(), 2U);
  const ModeCapability& native = inputs.image.modes[0];
  EXPECT_EQ(native.mode, input::Mode::native);
  EXPECT_EQ(native.media_types, (std::vector<std::string>{"image/png", "image/svg+xml"}));
  EXPECT_EQ(native.max_count, 100U);
  EXPECT_EQ(native.max_bytes, 5'000'000U);
  EXPECT_EQ(native.max_encoded_bytes, 7'000'000U);
  EXPECT_EQ(native.max_side_px, 8000U);
  EXPECT_EQ(native.encoding, "base64");
  EXPECT_EQ(native.exact.value().max_bytes, 512'000U);
  EXPECT_EQ(native.exact.value().max_side_px, 2000U);
  EXPECT_EQ(native.exact.value().patch_px, 28U);
  EXPECT_EQ(native.exact.value().max_patches, 4784U);
  EXPECT_FALSE(native.exact.value().never);
  EXPECT_TRUE(native.needs_inspection);
  EXPECT_EQ(inputs.image.modes[1].mode, input::Mode::provider_url);
  EXPECT_EQ(inputs.image.modes[1].encoding, "none");
  EXPECT_FALSE(inputs.image.modes[1].exact.has_value());
  EXPECT_EQ(inputs.image.alternative, "send it as a PDF");
  EXPECT_TRUE(inputs.file.modes.at(0).exact.value().never);
  EXPECT_EQ(inputs.file.modes.at(1).mode, input::Mode::workspace_reference);
  EXPECT_TRUE(inputs.audio.modes.empty());
  EXPECT_EQ(inputs.audio.alternative, "use another driver");
}

TEST(DescriptorRules, LeastDocument) {
  const DescriptorParse result = parse_descriptor(R"({"schema":1,"id":"ab","name":"A","version":"0.0.1",
    "spi":{"major":1,"built_minor":0,"min_minor":0},
    "transport":{"type":"http","protocol":"some-api","option":"base_url"},
    "inputs":{"image":{"modes":[]},"file":{"modes":[]},"audio":{"modes":[]},"video":{"modes":[]}},
    "config":{"type":"object","properties":{"base_url":{"type":"string"}}}})");
  ASSERT_TRUE(result.descriptor.has_value()) << listing(result.faults);
  EXPECT_EQ(result.descriptor->max_parallel_runs, 1U);
  EXPECT_FALSE(result.descriptor->features.cancel);
  EXPECT_FALSE(result.descriptor->inputs.limits.max_count.has_value());
  EXPECT_TRUE(result.descriptor->transport_test_config.empty());
}

/// A document made bad: `value` put at `at` (null: what is there is taken away), and where the fault must be.
struct Bad {
  const char* at;
  const char* value;
  const char* fault;
};

void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.at << " = " << (bad.value == nullptr ? "nothing" : bad.value);
}

class DescriptorRule : public ::testing::TestWithParam<Bad> {};

TEST_P(DescriptorRule, BrokenOnce) {
  Json document = sample();
  const Json::json_pointer place(GetParam().at);
  if (GetParam().value == nullptr) {
    document.at(place.parent_pointer()).erase(place.back());
  } else {
    document[place] = Json::parse(GetParam().value);
  }
  const DescriptorParse result = parse(document);
  EXPECT_FALSE(result.descriptor.has_value());
  EXPECT_TRUE(has_fault(result.faults, GetParam().fault)) << listing(result.faults);
}

INSTANTIATE_TEST_SUITE_P(
    Schema, DescriptorRule,
    ::testing::Values(
        Bad{"/schema", nullptr, "/schema"}, Bad{"/schema", "2", "/schema"}, Bad{"/schema", "\"1\"", "/schema"},
        Bad{"/id", nullptr, "/id"}, Bad{"/id", "\"Upper\"", "/id"}, Bad{"/id", "\"a\"", "/id"},
        Bad{"/id", "\"1abc\"", "/id"}, Bad{"/id", "\"a_b\"", "/id"},
        Bad{"/id", "\"a23456789012345678901234567890123456789012345678901234567890123x\"", "/id"},
        Bad{"/name", nullptr, "/name"}, Bad{"/name", "\"\"", "/name"}, Bad{"/name", "\"a\\nb\"", "/name"},
        Bad{"/version", nullptr, "/version"}, Bad{"/version", "\"1.2\"", "/version"},
        Bad{"/version", "\"01.2.3\"", "/version"}, Bad{"/version", "\"1.2.3-01\"", "/version"},
        Bad{"/version", "\"1.2.3-\"", "/version"}, Bad{"/version", "\"v1.2.3\"", "/version"},
        Bad{"/publisher", "7", "/publisher"}, Bad{"/license", "[]", "/license"}, Bad{"/spi", nullptr, "/spi"},
        Bad{"/spi", "[]", "/spi"}, Bad{"/spi/major", "2", "/spi/major"}, Bad{"/spi/major", nullptr, "/spi/major"},
        Bad{"/spi/built_minor", "-1", "/spi/built_minor"}, Bad{"/spi/min_minor", "5", "/spi/min_minor"},
        Bad{"/spi/minor", "0", "/spi/minor"}, Bad{"/unknown", "1", "/unknown"}, Bad{"/a~1b", "1", "/a~1b"},
        Bad{"/transport", nullptr, "/transport"}, Bad{"/transport/type", "\"carrier-pigeon\"", "/transport/type"},
        Bad{"/transport/protocol", "\"Not A Slug\"", "/transport/protocol"},
        Bad{"/transport/option", nullptr, "/transport/option"},
        Bad{"/transport/test_config", "[]", "/transport/test_config"}, Bad{"/inputs", nullptr, "/inputs"},
        Bad{"/inputs/image", nullptr, "/inputs/image"}, Bad{"/inputs/file", nullptr, "/inputs/file"},
        Bad{"/inputs/audio", nullptr, "/inputs/audio"}, Bad{"/inputs/video", nullptr, "/inputs/video"},
        Bad{"/inputs/smell", "{\"modes\":[]}", "/inputs/smell"},
        Bad{"/inputs/audio/modes", nullptr, "/inputs/audio/modes"},
        Bad{"/inputs/audio/modes", "{}", "/inputs/audio/modes"}, Bad{"/max_parallel_runs", "0", "/max_parallel_runs"},
        Bad{"/max_parallel_runs", "1025", "/max_parallel_runs"}, Bad{"/retains_inputs", "1", "/retains_inputs"},
        Bad{"/placement", "\"somewhere\"", "/placement"}, Bad{"/features/magic", "true", "/features/magic"},
        Bad{"/features/cancel", "\"yes\"", "/features/cancel"},
        Bad{"/features/url_schemes", "[\"HTTPS\"]", "/features/url_schemes/0"},
        Bad{"/features/url_schemes", "[\"https\",\"https\"]", "/features/url_schemes/1"},
        Bad{"/environment", "[\"A=B\"]", "/environment/0"}, Bad{"/environment", "[\"1A\"]", "/environment/0"},
        Bad{"/limits/max_count", "0", "/limits/max_count"}, Bad{"/limits/max_count", "1.5", "/limits/max_count"},
        Bad{"/limits/max_total_bytes", "9007199254740992", "/limits/max_total_bytes"},
        Bad{"/limits/max", "1", "/limits/max"}, Bad{"/limits/many_images/above", nullptr, "/limits/many_images/above"},
        Bad{"/limits/many_images/max_side_px", nullptr, "/limits/many_images/max_side_px"},
        Bad{"/config", nullptr, "/config"}));

INSTANTIATE_TEST_SUITE_P(
    Modes, DescriptorRule,
    ::testing::Values(
        Bad{"/inputs/image/modes/0/mode", nullptr, "/inputs/image/modes/0/mode"},
        Bad{"/inputs/image/modes/0/mode", "\"telepathy\"", "/inputs/image/modes/0/mode"},
        Bad{"/inputs/image/modes/0/color", "1", "/inputs/image/modes/0/color"},
        Bad{"/inputs/image/modes/0/media_types", "\"image/png\"", "/inputs/image/modes/0/media_types"},
        Bad{"/inputs/image/modes/0/media_types/0", "\"IMAGE/PNG\"", "/inputs/image/modes/0/media_types/0"},
        Bad{"/inputs/image/modes/0/media_types/0", "\"image/png; q=1\"", "/inputs/image/modes/0/media_types/0"},
        Bad{"/inputs/image/modes/0/media_types/0", "\"image\"", "/inputs/image/modes/0/media_types/0"},
        Bad{"/inputs/image/modes/0/media_types/0", "\"*/*\"", "/inputs/image/modes/0/media_types/0"},
        Bad{"/inputs/image/modes/0/media_types/0", "\"image/p*\"", "/inputs/image/modes/0/media_types/0"},
        Bad{"/inputs/image/modes/0/media_types/1", "\"image/png\"", "/inputs/image/modes/0/media_types/1"},
        Bad{"/inputs/image/modes/0/max_bytes", "\"5MB\"", "/inputs/image/modes/0/max_bytes"},
        Bad{"/inputs/image/modes/0/encoding", "\"hex\"", "/inputs/image/modes/0/encoding"},
        Bad{"/inputs/image/modes/0/encoding", nullptr, "/inputs/image/modes/0/max_encoded_bytes"},
        Bad{"/inputs/image/modes/0/exact", "true", "/inputs/image/modes/0/exact"},
        Bad{"/inputs/image/modes/0/exact/max", "1", "/inputs/image/modes/0/exact/max"},
        Bad{"/inputs/image/modes/0/needs_inspection", "0", "/inputs/image/modes/0/needs_inspection"},
        Bad{"/inputs/image/alternative", "\"\"", "/inputs/image/alternative"},
        Bad{"/inputs/image/alternative",
            "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
            "/inputs/image/alternative"}));

INSTANTIATE_TEST_SUITE_P(
    R_E3_Truth, DescriptorRule,
    ::testing::Values(
        Bad{"/inputs/image/modes/1/mode", "\"native\"", "/inputs/image/modes/1/mode"},
        Bad{"/inputs/image/modes/0/media_types/0", "\"audio/wav\"", "/inputs/image/modes/0/media_types/0"},
        Bad{"/inputs/file/modes/0/media_types/0", "\"image/*\"", "/inputs/file/modes/0/media_types/0"},
        Bad{"/inputs/file/modes/0/media_types/0", "\"audio/*\"", "/inputs/file/modes/0/media_types/0"},
        Bad{"/inputs/file/modes/0/media_types/0", "\"video/*\"", "/inputs/file/modes/0/media_types/0"},
        Bad{"/features/url_schemes", "[]", "/features/url_schemes"},
        Bad{"/inputs/image/modes", "[]", "/features/url_schemes"}, Bad{"/placement", nullptr, "/placement"},
        Bad{"/inputs/file/modes", "[]", "/placement"},
        Bad{"/inputs/image/modes/0/exact/max_bytes", "5000001", "/inputs/image/modes/0/exact/max_bytes"},
        Bad{"/inputs/image/modes/0/exact/max_side_px", "8001", "/inputs/image/modes/0/exact/max_side_px"},
        Bad{"/inputs/image/modes/0/exact/patch_px", nullptr, "/inputs/image/modes/0/exact"},
        Bad{"/inputs/image/modes/0/exact/media_types", "[\"image/tiff\"]", "/inputs/image/modes/0/exact/media_types/0"},
        Bad{"/inputs/image/modes/0/exact/media_types", "[\"png\"]", "/inputs/image/modes/0/exact/media_types/0"},
        Bad{"/inputs/file/modes/0/max_side_px", "10", "/inputs/file/modes/0/max_side_px"},
        Bad{"/inputs/file/modes/0/exact", "{\"max_side_px\":1}", "/inputs/file/modes/0/exact/max_side_px"},
        Bad{"/inputs/file/modes/0/exact", "{\"patch_px\":1,\"max_patches\":1}", "/inputs/file/modes/0/exact/patch_px"},
        Bad{"/inputs/file/modes/1/encoding", "\"base64\"", "/inputs/file/modes/1/encoding"},
        Bad{"/inputs/image/modes/0/max_count", "101", "/inputs/image/modes/0/max_count"},
        Bad{"/inputs/image/modes", "[]", "/limits/many_images"}, Bad{"/features/resume", "false", "/features/fork"},
        Bad{"/transport/option", "\"model_path\"", "/transport/option"},
        Bad{"/transport/option", "\"effort\"", "/transport/option"},
        Bad{"/transport/test_config", "{\"effort\":9}", "/transport/test_config/effort"},
        Bad{"/transport/test_config", "{\"nothing\":9}", "/transport/test_config/nothing"},
        Bad{"/config/type", "\"string\"", "/config/type"}));

TEST(DescriptorRules, AllFaultsAreCollected) {
  Json document = sample();
  document["id"] = "NO";
  document["spi"]["min_minor"] = 9;
  document["inputs"].erase("video");
  document["surprise"] = 1;
  const DescriptorParse result = parse(document);
  for (const char* place : {"/id", "/spi/min_minor", "/inputs/video", "/surprise"}) {
    EXPECT_TRUE(has_fault(result.faults, place)) << place;
  }
  EXPECT_EQ(result.faults.size(), 4U) << listing(result.faults);
}

}  // namespace
}  // namespace attache::test
