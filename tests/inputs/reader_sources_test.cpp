// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <stdexcept>
#include <thread>

#include "support/bench.hpp"
#include "support/media.hpp"
#include "support/readers.hpp"

namespace attache::testing {
namespace {

using input::Kind;

constexpr std::uint64_t peek = 64 << 10;

class ReaderSourcesTest : public InputsTest {
 protected:
  ReaderSourcesTest() {
    diagnostics = [this](const Diagnostic& found) {
      const std::lock_guard lock(mutex_);
      told.push_back(found);
    };
  }
  ~ReaderSourcesTest() override { EXPECT_EQ(readers.open, 0) << "a reader is left"; }

  input::Input picture(OnRead on_read = {}, std::size_t step = SIZE_MAX) {
    return input::from_opener(Kind::image, "a.png", opener(readers, large, std::move(on_read), step));
  }
  void expect_cancelled(const input::Input& given, std::stop_source& stop) {
    try {
      inputs::RunInputs::prepare({given}, terms(), stop.get_token());
      ADD_FAILURE() << "not cancelled";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), errc::cancelled) << error.what();
    }
    EXPECT_EQ(entries(base), 0u);
    EXPECT_EQ(readers.open, 0);
  }

  const std::string large = png_padded(3 * peek);
  Readers readers;
  std::vector<Diagnostic> told;

 private:
  std::mutex mutex_;
};

TEST_F(ReaderSourcesTest, TheBytesOfAnOpenerArriveInWhateverPieces) {
  for (const std::size_t step : {std::size_t{1}, std::size_t{1000}, peek - 1, peek, peek + 1, SIZE_MAX}) {
    expect_delivered(picture({}, step), large);
  }
}

TEST_F(ReaderSourcesTest, AnOpenerIsCalledOnceForARunAndNotForAPlan) {
  const Plan plan = inputs::plan({picture()}, terms());
  EXPECT_EQ(readers.opened, 0);
  EXPECT_TRUE(plan.ok());
  EXPECT_EQ(plan.inputs[0].name, "a.png");
  EXPECT_EQ(plan.inputs[0].media_type, "image/png");
  EXPECT_EQ(plan.inputs[0].size, 0u);
  EXPECT_EQ(plan.inputs[0].mode, input::Mode::native);
  expect_delivered(picture(), large);
  EXPECT_EQ(readers.opened, 1);
}

TEST_F(ReaderSourcesTest, APlanLeavesOpenWhatOnlyTheContentTells) {
  const auto untyped = input::from_opener(Kind::image, "", opener(readers, large));
  const Plan plan = inputs::plan({untyped}, terms());
  EXPECT_TRUE(plan.ok());
  EXPECT_EQ(plan.inputs[0].media_type, "");
  EXPECT_FALSE(plan.inputs[0].mode);
  const ResolvedInput resolved = expect_delivered(untyped, large);
  EXPECT_EQ(resolved.media_type, "image/png");
  EXPECT_EQ(resolved.name, "input-1.png");
}

TEST_F(ReaderSourcesTest, TheNameOfAnOpenerIsADeclaredOne) {
  const auto named = [&](const char* name) { return input::from_opener(Kind::image, name, opener(readers, large)); };
  expect_refusal({named("a/b.png")}, errc::input_invalid, "name_invalid");
  EXPECT_EQ(readers.opened, 0);
  EXPECT_EQ(expect_delivered(named("a/b.png").name("c.png"), large).name, "c.png");
}

TEST_F(ReaderSourcesTest, AnOpenerThatFailsIsTypedAndItsTextOnlyDiagnosed) {
  const input::Opener bad[] = {
      [](std::stop_token) -> std::unique_ptr<input::Reader> { throw std::runtime_error("secret: token 123"); },
      [](std::stop_token) -> std::unique_ptr<input::Reader> { throw 42; },
      [](std::stop_token) -> std::unique_ptr<input::Reader> { return nullptr; }};
  for (const input::Opener& open : bad) {
    const InputError error = refuse({picture(), input::from_opener(Kind::image, "b.png", open)});
    EXPECT_EQ(error.code(), errc::input_materialization_failed);
    EXPECT_EQ(error.reason(), "open_failed");
    EXPECT_EQ(error.index(), 1u);
    EXPECT_STREQ(error.what(), "input 2 (image): it cannot be opened");
  }
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0].where, "open");
  EXPECT_EQ(told[0].index, 1u);
  EXPECT_EQ(told[0].text, "secret: token 123");
}

TEST_F(ReaderSourcesTest, AReaderThatFailsIsTypedWhereverItFails) {
  for (const std::uint64_t at : {std::uint64_t{0}, peek, 2 * peek}) {
    const auto fail = [at](std::uint64_t position, const std::stop_token&) {
      if (position >= at) throw std::runtime_error("secret: connection to 10.0.0.1 lost");
    };
    const InputError error = refuse({picture(fail, peek)});
    EXPECT_EQ(error.code(), errc::input_materialization_failed);
    EXPECT_EQ(error.reason(), "read_failed");
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos) << error.what();
    EXPECT_EQ(readers.open, 0);
  }
  ASSERT_EQ(told.size(), 3u);
  for (const Diagnostic& found : told) {
    EXPECT_EQ(found.where, "read");
    EXPECT_EQ(found.index, 0u);
    EXPECT_EQ(found.text, "secret: connection to 10.0.0.1 lost");
  }
}

TEST_F(ReaderSourcesTest, AReaderThatClaimsMoreThanItsBufferIsNotBelieved) {
  class Liar final : public input::Reader {
    std::size_t read(std::span<std::byte> buffer) override { return buffer.size() + 1; }
  };
  const input::Opener open = [](std::stop_token) { return std::make_unique<Liar>(); };
  expect_refusal({input::from_opener(Kind::image, "a.png", open)}, errc::input_materialization_failed, "read_failed");
}

TEST_F(ReaderSourcesTest, AnEmptyReaderIsAnEmptyInput) {
  expect_refusal({input::from_opener(Kind::image, "a.png", opener(readers, ""))}, errc::input_invalid, "empty");
}

TEST_F(ReaderSourcesTest, ReadersAreClosedWhenAnotherInputFails) {
  const std::string page = html();
  expect_refusal({picture(), bytes(Kind::image, "image/png", page)}, errc::input_invalid, "media_type_mismatch");
  expect_refusal({picture().sha256({}), picture()}, errc::input_digest_mismatch, "digest_mismatch");
  expect_refusal({picture().size(1)}, errc::input_invalid, "size_mismatch");
  EXPECT_EQ(readers.opened, 4);
}

TEST_F(ReaderSourcesTest, R_I3_AReaderThatNeverEndsStopsOneByteAfterTheLimit) {
  limits.max_input_bytes = 2 * peek;
  expect_refusal({picture()}, errc::input_too_large, "input_bytes_limit");
  EXPECT_EQ(readers.bytes, 2 * peek + 1);
  readers.bytes = 0;
  limits = {};
  limits.max_total_bytes = 2 * peek;
  expect_refusal({picture()}, errc::input_too_large, "total_bytes_limit");
  EXPECT_EQ(readers.bytes, 2 * peek + 1);
}

TEST_F(ReaderSourcesTest, ACancelIsSeenWhileAnOpenerWaits) {
  std::stop_source stop;
  std::thread canceller;
  const input::Opener open = [&](std::stop_token given) -> std::unique_ptr<input::Reader> {
    canceller = std::thread([&] { stop.request_stop(); });
    wait_for_stop(given);
    return nullptr;
  };
  expect_cancelled(input::from_opener(Kind::image, "a.png", open), stop);
  canceller.join();
  EXPECT_TRUE(told.empty()) << "a cancel is no fault of the source";
}

TEST_F(ReaderSourcesTest, ACancelIsSeenWhileAReaderWaits) {
  for (const std::uint64_t at : {std::uint64_t{0}, 2 * peek}) {
    std::stop_source stop;
    std::thread canceller;
    const auto wait = [&](std::uint64_t position, const std::stop_token& given) {
      if (position < at) return;
      canceller = std::thread([&] { stop.request_stop(); });
      wait_for_stop(given);
    };
    expect_cancelled(picture(wait, peek), stop);
    canceller.join();
  }
  EXPECT_TRUE(told.empty());
}

TEST_F(ReaderSourcesTest, ACancelBetweenTwoReadsIsSeen) {
  for (const std::uint64_t at : {std::uint64_t{0}, 2 * peek}) {
    std::stop_source stop;
    const auto request = [&](std::uint64_t position, const std::stop_token&) {
      EXPECT_LE(position, at);
      if (position == at) stop.request_stop();
    };
    expect_cancelled(picture(request, peek / 2), stop);
  }
}

class FileSystemSourceTest : public ReaderSourcesTest {
 protected:
  input::Input at(std::string path) const { return input::from_fs(Kind::image, files, std::move(path)); }
  std::shared_ptr<TestFiles> files = std::make_shared<TestFiles>(readers);
};

TEST_F(FileSystemSourceTest, PathsAreRelativeAndPlain) {
  for (const char* path : {"a.png", "a/b/c.png", "a/.hidden/..b.png", "with space/a.png"}) {
    files->content[path] = large;
    expect_delivered(at(path), large);
  }
  for (const std::string& path : {std::string(), std::string("/a.png"), std::string("a/"), std::string("a//b"),
                                  std::string("."), std::string("a/./b"), std::string(".."), std::string("../a.png"),
                                  std::string("a/../b"), std::string("a/.."), std::string("a\0b", 3)}) {
    files->content[path] = large;
    expect_refusal({at(path)}, errc::input_invalid, "path_invalid");
  }
  EXPECT_EQ(readers.opened, 4);
}

TEST_F(FileSystemSourceTest, AFileThatIsNotThereIsTyped) {
  const InputError error = refuse({at("private/missing.png")});
  EXPECT_EQ(error.code(), errc::input_materialization_failed);
  EXPECT_EQ(error.reason(), "open_failed");
  EXPECT_EQ(std::string(error.what()).find("private"), std::string::npos) << error.what();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].text, "no such entry: private/missing.png");
}

TEST_F(FileSystemSourceTest, APlanLooksIntoIt) {
  files->content["a.png"] = html();
  files->content["small.png"] = png(1, 1);
  files->content["large.png"] = large;
  const Plan plan =
      inputs::plan({at("a.png"), at("b.png"), at(".."), at("small.png").size(1), at("large.png")}, terms());
  EXPECT_EQ(plan.inputs[0].violations.at(0).reason, "media_type_mismatch");
  EXPECT_EQ(plan.inputs[1].violations.at(0).reason, "open_failed");
  ASSERT_EQ(plan.inputs[2].violations.size(), 1u);
  EXPECT_EQ(plan.inputs[2].violations[0].reason, "path_invalid");
  EXPECT_EQ(plan.inputs[3].size, png(1, 1).size());
  ASSERT_EQ(plan.inputs[3].violations.size(), 1u);
  EXPECT_EQ(plan.inputs[3].violations[0].reason, "size_mismatch");
  EXPECT_EQ(plan.inputs[4].size, 0u) << "the peek does not reach its end";
  EXPECT_EQ(plan.inputs[4].mode, input::Mode::native);
}

TEST_F(FileSystemSourceTest, ASourceThatIsNoneIsInvalid) {
  expect_refusal({input::from_fs(Kind::image, nullptr, "a.png")}, errc::input_invalid, "source_missing");
  expect_refusal({input::from_opener(Kind::image, "a.png", nullptr)}, errc::input_invalid, "source_missing");
}

TEST_F(ReaderSourcesTest, PathsAndTheSystemsWordsGoToTheHookOnly) {
  const auto path = scratch / "missing.png";
  expect_refusal({input::from_path(Kind::image, path)}, errc::input_materialization_failed, "open_failed");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].where, "open");
  EXPECT_EQ(told[0].text, path.native() + ": No such file or directory");
}

TEST_F(ReaderSourcesTest, AHookThatThrowsChangesNothing) {
  diagnostics = [](const Diagnostic&) { throw std::runtime_error("no"); };
  expect_refusal({input::from_path(Kind::image, scratch / "missing.png")}, errc::input_materialization_failed,
                 "open_failed");
}

}  // namespace
}  // namespace attache::testing
