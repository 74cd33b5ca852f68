// SPDX-License-Identifier: Apache-2.0
#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;

class PlanTest : public InputsTest {
 protected:
  Plan plan(const std::vector<input::Input>& given) const { return inputs::plan(given, terms()); }
  static std::vector<std::string> reasons(const std::vector<PlannedInput::Violation>& violations) {
    std::vector<std::string> result;
    for (const auto& violation : violations) result.push_back(violation.reason);
    return result;
  }
  using Reasons = std::vector<std::string>;
  const std::string picture = png(1, 1);
};

TEST_F(PlanTest, SaysWhatWouldBecomeOfEachInput) {
  ExactBounds bounds;
  bounds.max_bytes = 1000;
  driver.inputs.image.modes[0].exact = bounds;
  const Plan result = plan(
      {input::from_path(Kind::image, file("a.png", picture)), bytes(Kind::file, "text/plain", "hello").name("b.txt")});
  EXPECT_TRUE(result.ok());
  ASSERT_EQ(result.inputs.size(), 2u);
  EXPECT_EQ(result.inputs[0].index, 0u);
  EXPECT_EQ(result.inputs[0].kind, Kind::image);
  EXPECT_EQ(result.inputs[0].name, "a.png");
  EXPECT_EQ(result.inputs[0].media_type, "image/png");
  EXPECT_EQ(result.inputs[0].size, picture.size());
  EXPECT_EQ(result.inputs[0].mode, input::Mode::native);
  EXPECT_TRUE(result.inputs[0].exact);
  EXPECT_FALSE(result.inputs[1].exact) << "no bounds are declared for text";
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(PlanTest, CollectsEveryViolationOfEveryInput) {
  driver.inputs.image.modes[0].max_side_px = 8000;
  driver.inputs.image.modes[0].max_encoded_bytes = 80;
  limits.max_input_bytes = 60;
  limits.max_total_bytes = 100;
  limits.max_count = 3;
  const std::string wide = png(8001, 1), sound = wav(), page = html();
  const Plan result = plan({bytes(Kind::image, "image/png", wide).name("a/b").size(1),
                            bytes(Kind::audio, "audio/wav", sound), bytes(Kind::image, "image/png", page),
                            input::from_path(Kind::image, scratch / "missing.png").media_type("image/x/y")});
  EXPECT_FALSE(result.ok());
  ASSERT_EQ(result.inputs.size(), 4u);
  EXPECT_EQ(reasons(result.inputs[0].violations),
            (Reasons{"name_invalid", "size_mismatch", "input_bytes_limit", "encoded_bytes_limit", "side_limit"}));
  EXPECT_EQ(reasons(result.inputs[1].violations), (Reasons{"kind_unsupported"}));
  EXPECT_EQ(reasons(result.inputs[2].violations), (Reasons{"media_type_mismatch"}));
  EXPECT_EQ(reasons(result.inputs[3].violations), (Reasons{"media_type_malformed", "open_failed"}));
  EXPECT_EQ(reasons(result.set_violations), (Reasons{"count_limit", "total_bytes_limit"}));
  for (const auto& input : result.inputs) EXPECT_FALSE(input.mode);
  const auto& bytes_violation = result.inputs[0].violations[2];
  EXPECT_EQ(bytes_violation.code, errc::input_too_large);
  EXPECT_EQ(bytes_violation.limit, 60u);
  EXPECT_EQ(bytes_violation.limit_owner, "host");
  EXPECT_EQ(bytes_violation.text, "input 1 (image, image/png): it has too many bytes (limit of the host: 60)");
}

TEST_F(PlanTest, AgreesWithARun) {
  const auto good = bytes(Kind::image, "image/png", picture);
  const auto bad = bytes(Kind::image, "image/gif", picture);
  EXPECT_TRUE(plan({good}).ok());
  EXPECT_NO_THROW(accept({good}));
  const Plan refused = plan({bad});
  const InputError error = refuse({bad});
  ASSERT_EQ(refused.inputs[0].violations.size(), 1u);
  EXPECT_EQ(refused.inputs[0].violations[0].text, error.what());
  EXPECT_EQ(refused.inputs[0].violations[0].code, error.code());
}

TEST_F(PlanTest, NothingToPlanIsFine) {
  EXPECT_TRUE(plan({}).ok());
  EXPECT_TRUE(Plan{}.ok());
}

TEST_F(PlanTest, AKindThatDoesNotExist) {
  EXPECT_EQ(reasons(plan({bytes(static_cast<Kind>(0), "image/png", picture)}).inputs[0].violations),
            (Reasons{"kind_invalid"}));
}

}  // namespace
}  // namespace attache::testing
