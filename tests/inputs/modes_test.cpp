// SPDX-License-Identifier: Apache-2.0
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Fidelity;
using input::Kind;
using input::Mode;

class ModesTest : public InputsTest {
 protected:
  const std::string picture = png(1, 1), document = pdf();
  input::Input image() const { return bytes(Kind::image, "image/png", picture); }
  Mode chosen(const input::Input& given) const { return accept({given}).resolved().at(0).mode; }
};

TEST_F(ModesTest, AKindWithoutModesIsUnsupported) {
  const std::string sound = wav();
  const auto error = refuse({image(), bytes(Kind::audio, "audio/wav", sound)});
  EXPECT_EQ(error.code(), errc::input_kind_unsupported);
  EXPECT_EQ(error.reason(), "kind_unsupported");
  EXPECT_EQ(error.index(), 1u);
  EXPECT_EQ(error.kind(), Kind::audio);
  EXPECT_EQ(error.alternative(), "use the gemini driver");
  EXPECT_STREQ(error.what(), "input 2 (audio): the driver \"claude\" takes no audio input; use the gemini driver");
  driver.inputs.audio.modes = {mode(Mode::native, {"audio/wav"}, "base64")};
  expect_delivered(bytes(Kind::audio, "audio/wav", sound), sound);
}

TEST_F(ModesTest, TheKindIsJudgedBeforeAnySourceIsOpened) {
  expect_refusal({input::from_path(Kind::audio, scratch / "missing.wav")}, errc::input_kind_unsupported,
                 "kind_unsupported");
  expect_refusal({input::from_path(Kind::image, scratch / "missing.png")}, errc::input_materialization_failed,
                 "open_failed");
}

TEST_F(ModesTest, NativeComesBeforeAReference) {
  auto& modes = driver.inputs.image.modes;
  modes.insert(modes.begin(), mode(Mode::workspace_reference, {"image/*"}));
  EXPECT_EQ(chosen(image()), Mode::native);
  EXPECT_EQ(chosen(image().require(Mode::workspace_reference)), Mode::workspace_reference);
  const std::string scan = tiff();
  EXPECT_EQ(chosen(bytes(Kind::image, "image/tiff", scan)), Mode::workspace_reference);
}

TEST_F(ModesTest, R_E2_ARequiredModeIsNeverReplaced) {
  driver.inputs.image.modes = {mode(Mode::workspace_reference, {"image/png"})};
  expect_refusal({image().require(Mode::native)}, errc::input_mode_unsupported, "mode_unsupported");
  expect_refusal({image().require(Mode::provider_url)}, errc::input_mode_unsupported, "mode_unsupported");
  EXPECT_EQ(chosen(image()), Mode::workspace_reference);
}

TEST_F(ModesTest, R_E2_APathInThePromptIsNoNativeDelivery) {
  driver.inputs.image.modes = {mode(Mode::workspace_reference, {"image/png"})};
  const InputError error = refuse({image().require(Mode::native)});
  EXPECT_EQ(error.code(), errc::input_mode_unsupported);
  EXPECT_EQ(error.reason(), "mode_unsupported");
  EXPECT_EQ(error.index(), 0u);
  EXPECT_EQ(error.kind(), Kind::image);
  EXPECT_EQ(error.media_type(), "image/png");
  EXPECT_EQ(error.driver(), "claude");
  EXPECT_EQ(expect_delivered(image(), picture).mode, Mode::workspace_reference);
}

TEST_F(ModesTest, ASizeOverNativesLimitDoesNotFallBack) {
  auto& modes = driver.inputs.image.modes;
  modes[0].max_bytes = picture.size() - 1;
  modes.push_back(mode(Mode::workspace_reference, {"image/*"}));
  expect_refusal({image()}, errc::input_too_large, "input_bytes_limit");
  EXPECT_EQ(chosen(image().require(Mode::workspace_reference)), Mode::workspace_reference);
}

TEST_F(ModesTest, UrlsAreNotForBytes) {
  driver.inputs.image.modes = {mode(Mode::provider_url, {})};
  expect_refusal({image()}, errc::input_mode_unsupported, "url_only");
  driver.inputs.image.modes.push_back(mode(Mode::native, {}, "base64"));
  EXPECT_EQ(chosen(image()), Mode::native);
}

TEST_F(ModesTest, R_D3_AModeThatNeedsInspectionIsNotUsedWithoutOne) {
  driver.inputs.image.modes[0].needs_inspection = true;
  expect_refusal({image()}, errc::input_kind_unsupported, "needs_inspection");
  expect_refusal({image().require(Mode::native)}, errc::input_mode_unsupported, "needs_inspection");
  driver.inputs.image.modes.push_back(mode(Mode::workspace_reference, {}));
  EXPECT_EQ(chosen(image()), Mode::workspace_reference);
  driver.inputs.image.modes[0].needs_inspection = false;
  EXPECT_EQ(chosen(image()), Mode::native);
}

TEST_F(ModesTest, R_D3_AModeThatNeedsInspectionIsUsedAfterOne) {
  driver.inputs.image.modes[0].needs_inspection = true;
  inspected = true;
  EXPECT_EQ(chosen(image()), Mode::native);
  EXPECT_EQ(chosen(image().require(Mode::native)), Mode::native);
  const std::string scan = tiff();
  expect_refusal({bytes(Kind::image, "image/tiff", scan)}, errc::input_media_type_unsupported,
                 "media_type_unsupported");
  driver.inputs.image.modes.clear();
  expect_refusal({image()}, errc::input_kind_unsupported, "kind_unsupported");
}

TEST_F(ModesTest, TheEffectiveCapabilitiesCount) {
  InputCapabilities effective = driver.inputs;
  effective.image.modes.clear();
  inputs::Terms narrowed = terms();
  narrowed.capabilities = &effective;
  EXPECT_THROW(inputs::RunInputs::prepare({image()}, narrowed, {}), InputError);
  EXPECT_NO_THROW(inputs::RunInputs::prepare({image()}, terms(), {}));
}

TEST_F(ModesTest, ExactIsRefusedBeyondTheBounds) {
  ExactBounds bounds;
  bounds.max_bytes = 1000;
  bounds.max_side_px = 2000;
  bounds.patch_px = 28;
  bounds.max_patches = 4784;
  driver.inputs.image.modes[0].exact = bounds;
  const auto judge = [&](const std::string& content) {
    const auto given = bytes(Kind::image, "image/png", content);
    const bool inside = accept({given}).inside_exact_bounds(0);
    EXPECT_FALSE(accept({given}).wants_exact(0));
    if (inside) {
      EXPECT_TRUE(accept({given.fidelity(Fidelity::exact)}).wants_exact(0));
    } else {
      const auto error = refuse({given.fidelity(Fidelity::exact)});
      EXPECT_EQ(error.code(), errc::input_too_large);
      EXPECT_EQ(error.reason(), "exact_bound");
      EXPECT_EQ(error.limit_owner(), "driver");
      EXPECT_TRUE(error.limit());
    }
    return inside;
  };
  EXPECT_TRUE(judge(png_padded(1000)));
  EXPECT_FALSE(judge(png_padded(1001)));
  EXPECT_TRUE(judge(png(2000, 1)));
  EXPECT_FALSE(judge(png(2001, 1)));
  EXPECT_TRUE(judge(png(1932, 1932)));   // 69 * 69 = 4761 patches
  EXPECT_FALSE(judge(png(1960, 1960)));  // 70 * 70 = 4900
}

TEST_F(ModesTest, ExactFromTheAgentAndNever) {
  fidelity = Fidelity::exact;
  EXPECT_TRUE(accept({image().fidelity(Fidelity::any)}).wants_exact(0));
  ExactBounds never;
  never.never = true;
  driver.inputs.image.modes[0].exact = never;
  expect_refusal({image()}, errc::input_mode_unsupported, "never_exact");
  fidelity = Fidelity::any;
  EXPECT_FALSE(accept({image()}).inside_exact_bounds(0));
}

TEST_F(ModesTest, ExactOnlyForTheTypesThatAreKept) {
  ExactBounds bounds;
  bounds.media_types = {"image/jpeg"};
  driver.inputs.image.modes[0].exact = bounds;
  const std::string kept = jpeg(10, 10, 1000);
  EXPECT_TRUE(accept({bytes(Kind::image, "image/jpeg", kept).fidelity(Fidelity::exact)}).inside_exact_bounds(0));
  EXPECT_FALSE(accept({image()}).inside_exact_bounds(0));
  expect_refusal({image().fidelity(Fidelity::exact)}, errc::input_mode_unsupported, "never_exact");
}

TEST_F(ModesTest, ExactIsJudgedAlsoWhereTheHeaderLiesPastThePeek) {
  ExactBounds bounds;
  bounds.max_side_px = 2000;
  driver.inputs.image.modes[0].exact = bounds;
  const std::string inside = jpeg(2000, 1, 100000), outside = jpeg(2001, 1, 100000);
  EXPECT_TRUE(accept({bytes(Kind::image, "image/jpeg", inside).fidelity(Fidelity::exact)}).inside_exact_bounds(0));
  expect_refusal({bytes(Kind::image, "image/jpeg", outside).fidelity(Fidelity::exact)}, errc::input_too_large,
                 "exact_bound");
}

}  // namespace
}  // namespace attache::testing
