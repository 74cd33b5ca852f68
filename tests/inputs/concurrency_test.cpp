// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <barrier>
#include <fstream>
#include <thread>

#include "support/bench.hpp"
#include "support/media.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using ConcurrencyTest = InputsTest;

TEST_F(ConcurrencyTest, R_I3_AFileThatGrowsWhileItIsRead) {
  limits.max_input_bytes = 1 << 20;
  const auto path = file("a.png", png_padded(1 << 19));
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    std::ofstream out(path, std::ios::app | std::ios::binary);
    const std::string more(64 << 10, 'x');
    while (!stop && std::filesystem::file_size(path) < (64u << 20)) out.write(more.data(), 65536).flush();
  });
  bool over = false;
  for (int i = 0; i < 10000 && !over; ++i) {
    try {
      accept({input::from_path(Kind::image, path)});
    } catch (const InputError& error) {
      EXPECT_TRUE(error.reason() == "source_changed" || error.reason() == "input_bytes_limit") << error.reason();
      over = error.reason() == "input_bytes_limit";
    }
  }
  stop = true;
  writer.join();
  EXPECT_TRUE(over);
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(ConcurrencyTest, R_N1_ManyRunsAtOnceWithOneName) {
  constexpr int runs = 32;
  std::vector<std::string> contents;
  for (int i = 0; i < runs; ++i) contents.push_back(png(1, 1, "picture " + std::to_string(i)));
  std::barrier start(runs);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < runs; ++i) {
    threads.emplace_back([&, i] {
      const std::string& content = contents[static_cast<std::size_t>(i)];
      start.arrive_and_wait();
      const auto run = accept({bytes(Kind::image, "image/png", content).name("image.png")});
      if (run.resolved()[0].sha256 == digest_of(content) && read_file(run.local_path(0)) == content) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, runs);
  EXPECT_EQ(entries(base), 0u);
}

}  // namespace
}  // namespace attache::testing
