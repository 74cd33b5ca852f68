// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <random>
#include <sstream>

#include <unistd.h>

#include <attache/sdk/sha256.hpp>

#include "child_fixture.hpp"

namespace attache::sdk::testing {
namespace {

TEST(FrameRoundTrip, R_L1_TwentyMebibytesThroughAChildInBoundedMemory) {
  std::string directory = (std::filesystem::temp_directory_path() / "attache-probe-XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  const std::string path = directory + "/image";
  const std::size_t size = std::size_t{20} * 1024 * 1024 + 1;
  std::string expected;
  {
    std::mt19937 random(1);
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    std::ofstream(path, std::ios::binary) << bytes;
    expected = to_hex(sha256(bytes));
  }
  SpawnOptions options;
  options.executable = SDK_FRAME_PROBE;
  options.arguments = {path, std::to_string(size), SDK_TEST_CHILD};
  auto process = ChildProcess::spawn(options);
  const Outcome outcome = pump(process);
  EXPECT_EQ(outcome.end, PumpEnd::exited);
  EXPECT_TRUE(process.end(std::chrono::seconds(10)).success()) << outcome.error;
  std::istringstream words(outcome.output);
  std::string digest;
  long growth = 0;
  words >> digest >> growth;
  EXPECT_EQ(digest, expected);
  EXPECT_LT(growth, 24L * 1024 * 1024);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace attache::sdk::testing
