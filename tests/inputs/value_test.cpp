// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "support/bench.hpp"
#include "support/media.hpp"
#include "support/readers.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using ValueTest = InputsTest;

TEST_F(ValueTest, SettersReturnChangedCopies) {
  const std::string content = png(1, 1);
  const input::Input plain = bytes(Kind::image, "image/png", content);
  const input::Input named = plain.name("a.png");
  EXPECT_EQ(accept({plain}).resolved()[0].name, "input-1.png");
  EXPECT_EQ(accept({named}).resolved()[0].name, "a.png");
}

TEST_F(ValueTest, AMovedFromInputStaysWhole) {
  const std::string content = png(1, 1);
  input::Input first = bytes(Kind::image, "image/png", content).name("a.png");
  const input::Input second = std::move(first);
  EXPECT_EQ(accept({first, second}).resolved().size(), 2u);  // NOLINT(bugprone-use-after-move)
}

TEST_F(ValueTest, NoInputsMakeNoDirectory) {
  inputs::RunInputs run = accept({});
  EXPECT_TRUE(run.directory().empty());
  EXPECT_TRUE(run.resolved().empty());
  EXPECT_EQ(entries(base), 0u);
  run.remove();
}

TEST_F(ValueTest, EverySourceOfTheSameContentResolvesAlike) {
  const std::string content = pdf();
  const auto path = file("source.pdf", content);
  Readers readers;
  const auto files = std::make_shared<TestFiles>(readers);
  files->content["shelf/spec.pdf"] = content;
  const input::Input sources[] = {input::from_path(Kind::file, path).name("spec.pdf"),
                                  bytes(Kind::file, "application/pdf", content).name("spec.pdf"),
                                  input::from_fs(Kind::file, files, "shelf/spec.pdf"),
                                  input::from_opener(Kind::file, "spec.pdf", opener(readers, content))};
  for (const input::Input& source : sources) {
    const ResolvedInput resolved = accept({source}).resolved().at(0);
    EXPECT_EQ(resolved.id, "input-1");
    EXPECT_EQ(resolved.kind, Kind::file);
    EXPECT_EQ(resolved.mode, input::Mode::native);
    EXPECT_EQ(resolved.name, "spec.pdf");
    EXPECT_EQ(resolved.media_type, "application/pdf");
    EXPECT_EQ(resolved.size, content.size());
    EXPECT_EQ(resolved.sha256, digest_of(content));
  }
  EXPECT_EQ(readers.open, 0);
}

TEST_F(ValueTest, OrderAndIdsFollowTheArguments) {
  const std::string one = png(1, 1, "one"), two = jpeg(1, 1), three = pdf();
  const auto run = accept({bytes(Kind::image, "image/png", one), bytes(Kind::image, "image/jpeg", two),
                           bytes(Kind::file, "application/pdf", three)});
  ASSERT_EQ(run.resolved().size(), 3u);
  const std::string_view contents[] = {one, two, three};
  const char* ids[] = {"input-1", "input-2", "input-3"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(run.resolved()[i].id, ids[i]);
    EXPECT_EQ(run.resolved()[i].index, i);
    EXPECT_EQ(run.resolved()[i].sha256, digest_of(contents[i]));
    EXPECT_EQ(read_file(run.local_path(i)), contents[i]);
  }
}

TEST_F(ValueTest, AnUnknownKindOrModeIsInvalid) {
  const std::string content = png(1, 1);
  const auto error = refuse({bytes(static_cast<Kind>(9), "image/png", content)});
  EXPECT_EQ(error.reason(), "kind_invalid");
  EXPECT_EQ(error.code(), errc::input_invalid);
  EXPECT_FALSE(error.kind());
  expect_refusal({bytes(Kind::image, "image/png", content).require(static_cast<input::Mode>(9))}, errc::input_invalid,
                 "mode_invalid");
}

TEST_F(ValueTest, TheLowestIndexIsReported) {
  const std::string good = png(1, 1), bad = html();
  const auto error = refuse({bytes(Kind::image, "image/png", good), bytes(Kind::image, "image/png", bad),
                             bytes(Kind::image, "image/gif", bad)});
  EXPECT_EQ(error.index(), 1u);
  EXPECT_EQ(error.media_type(), "image/png");
}

}  // namespace
}  // namespace attache::testing
