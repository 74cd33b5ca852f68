// SPDX-License-Identifier: Apache-2.0
#include <barrier>
#include <latch>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "inputs/copy_all.hpp"
#include "support/bench.hpp"
#include "support/media.hpp"
#include "support/readers.hpp"

namespace attache::testing {
namespace {

using input::Kind;

constexpr std::uint64_t peek = inputs::peek_bytes;
constexpr std::size_t size = 3 * peek;

class ParallelCopyTest : public InputsTest {
 protected:
  ~ParallelCopyTest() override { EXPECT_EQ(readers.open, 0) << "a reader is left"; }

  input::Input picture(OnRead on_read = {}) {
    return input::from_opener(Kind::image, "a.png", opener(readers, content, std::move(on_read), peek));
  }

  /// Peeks and copies with so many threads, whatever the machine has.
  std::vector<inputs::Copy> copy(const std::vector<input::Input>& given, std::size_t threads,
                                 const std::stop_token& stop = {}) {
    const inputs::Terms judged = terms();
    inputs::Findings findings(judged);
    std::vector<inputs::Subject> subjects;
    subjects.reserve(given.size());
    for (const input::Input& one : given) {
      inputs::Subject& subject = subjects.emplace_back(subjects.size(), one);
      inputs::declare(subject, judged, findings);
      inputs::peek(subject, findings);
      inputs::choose_mode(subject, judged, findings);
      EXPECT_TRUE(findings.all().empty());
    }
    const std::stop_callback forward(stop, [&] {
      for (inputs::Subject& subject : subjects) subject.stop.request_stop();
    });
    const auto directory = inputs::RunDirectory::make(inputs::open_run_base(base));
    auto copies = inputs::copy_all(subjects, *directory, judged, threads, stop);
    for (const inputs::Copy& one : copies) EXPECT_EQ(digest_of(read_file(one.path)), one.sha256);
    return copies;
  }

  InputError failure(const std::vector<input::Input>& given, std::size_t threads) {
    try {
      copy(given, threads);
    } catch (const InputError& error) {
      return error;
    }
    ADD_FAILURE() << "the inputs were taken";
    return {errc::internal, "none", "", {}};
  }

  const std::string content = png_padded(size);
  Readers readers;
};

TEST_F(ParallelCopyTest, EveryInputIsItsOwn) {
  std::vector<std::string> contents;
  std::vector<input::Input> given;
  for (int i = 0; i < 12; ++i) {
    contents.push_back(png_padded(size + static_cast<std::size_t>(i)));
    given.push_back(input::from_opener(Kind::image, "a.png", opener(readers, contents.back(), {}, 1000)));
  }
  const auto copies = copy(given, 4);
  for (std::size_t i = 0; i < contents.size(); ++i) EXPECT_EQ(copies[i].sha256, digest_of(contents[i]));
}

TEST_F(ParallelCopyTest, TwoAreReadAtOnce) {
  std::barrier both(2);
  const auto meet = [&](std::uint64_t position, const std::stop_token&) {
    if (position == 2 * peek) both.arrive_and_wait();
  };
  EXPECT_EQ(copy({picture(meet), picture(meet)}, 2).size(), 2u);
}

TEST_F(ParallelCopyTest, TheLowestIndexIsReportedWhoeverFailsFirst) {
  std::latch failed(1);
  const auto first = [&](std::uint64_t position, const std::stop_token& stop) {
    if (position < peek) return;
    failed.wait();
    EXPECT_FALSE(stop.stop_requested()) << "an input of a lower index goes on";
  };
  const auto second = [&](std::uint64_t position, const std::stop_token&) {
    if (position < peek) return;
    failed.count_down();
    throw std::runtime_error("lost");
  };
  const InputError error = failure({picture(first).sha256({}), picture(second)}, 2);
  EXPECT_EQ(error.index(), 0u);
  EXPECT_EQ(error.reason(), "digest_mismatch");
}

TEST_F(ParallelCopyTest, ThoseOfAHigherIndexAreGivenUpAfterAFailure) {
  std::latch waiting(1);
  const auto fail = [&](std::uint64_t position, const std::stop_token&) {
    if (position < peek) return;
    waiting.wait();
    throw std::runtime_error("lost");
  };
  const auto wait = [&](std::uint64_t position, const std::stop_token& stop) {
    if (position < peek) return;
    waiting.count_down();
    wait_for_stop(stop);
  };
  const InputError error = failure({picture(fail), picture(wait), picture()}, 2);
  EXPECT_EQ(error.index(), 0u);
  EXPECT_EQ(error.reason(), "read_failed");
}

TEST_F(ParallelCopyTest, R_C7_TheTotalIsExactAcrossThreads) {
  for (const std::size_t threads : {1u, 2u, 4u}) {
    limits.max_total_bytes = 4 * size;
    EXPECT_EQ(copy({picture(), picture(), picture(), picture()}, threads).size(), 4u);
    readers.bytes = 0;
    // The last input is past its peek when the limit is met, in whatever order they are read.
    limits.max_total_bytes = 4 * size - peek;
    const InputError error = failure({picture(), picture(), picture(), picture()}, threads);
    EXPECT_EQ(error.reason(), "total_bytes_limit");
    EXPECT_FALSE(error.index());
    EXPECT_EQ(readers.bytes, limits.max_total_bytes + 1);
  }
}

TEST_F(ParallelCopyTest, ACancelClosesAll) {
  std::stop_source stop;
  std::barrier all(3);
  const auto wait = [&](std::uint64_t position, const std::stop_token& given) {
    if (position < peek) return;
    all.arrive_and_wait();
    wait_for_stop(given);
  };
  std::thread canceller([&] {
    all.arrive_and_wait();
    stop.request_stop();
  });
  try {
    copy({picture(wait), picture(wait), picture()}, 2, stop.get_token());
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), errc::cancelled);
  }
  canceller.join();
  EXPECT_EQ(readers.open, 0);
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(ParallelCopyTest, OnlyLargeInputsAreWorthThreads) {
  const std::string million = png_padded(inputs::large_input), less = png_padded(inputs::large_input - 1);
  const inputs::Terms judged = terms();
  const auto threads = [&](const std::vector<input::Input>& given) {
    inputs::Findings findings(judged);
    std::vector<inputs::Subject> subjects;
    subjects.reserve(given.size());
    for (const input::Input& one : given) inputs::peek(subjects.emplace_back(subjects.size(), one), findings);
    return inputs::copy_threads(subjects);
  };
  const auto large = bytes(Kind::image, "image/png", million), small = bytes(Kind::image, "image/png", less);
  const std::size_t machine = std::max(std::thread::hardware_concurrency(), 1u);
  EXPECT_EQ(threads({large}), 1u);
  EXPECT_EQ(threads({small, small, large, small}), 1u);
  EXPECT_EQ(threads({large, small, large}), std::min<std::size_t>(machine, 2));
  EXPECT_EQ(threads({large, large, large, large, large, large}), std::min<std::size_t>(machine, 4));
  EXPECT_EQ(threads({picture(), picture()}), std::min<std::size_t>(machine, 2)) << "their size is not known";
  EXPECT_EQ(threads({input::from_url(Kind::image, "https://a/"), large}), 1u);
}

TEST_F(ParallelCopyTest, ARunWithSeveralLargeInputs) {
  std::vector<std::string> contents;
  std::vector<input::Input> given;
  for (std::size_t i = 0; i < 4; ++i) {
    contents.push_back(png_padded(inputs::large_input + i));
    given.push_back(input::from_path(Kind::image, file(fmt::format("{}.png", i), contents.back())));
  }
  const auto run = accept(given);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    EXPECT_EQ(run.resolved()[i].index, i);
    EXPECT_EQ(run.resolved()[i].sha256, digest_of(contents[i]));
    EXPECT_EQ(read_file(run.local_path(i)), contents[i]);
  }
}

}  // namespace
}  // namespace attache::testing
