// SPDX-License-Identifier: Apache-2.0
// What MEMORY_PROBE, which sends one input of a size, costs a host.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <stdlib.h>

#include <attache/sdk/sha256.hpp>

namespace attache::test {

struct Measured {
  long peak_kib = -1;
  int status = -1;
  int exact = -1;
};

inline Measured measure(std::size_t size) {
  std::string name = (std::filesystem::temp_directory_path() / "attache-memory-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  const std::filesystem::path file = std::filesystem::path(name) / "large";
  std::minstd_rand random;
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random() >> 8);
  std::ofstream(file, std::ios::binary) << bytes;
  const std::string digest = attache::sdk::to_hex(attache::sdk::sha256(bytes));
  const std::string command =
      std::string(MEMORY_PROBE) + " " + file.string() + " " + std::to_string(size) + " " + digest;
  Measured out;
  std::FILE* const pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  EXPECT_EQ(std::fscanf(pipe, "%ld %d %d", &out.peak_kib, &out.status, &out.exact), 3);
  EXPECT_EQ(pclose(pipe), 0);
  std::filesystem::remove_all(name);
  return out;
}

inline void expect_that_twenty_mebibytes_cost_the_host_a_few() {
  constexpr std::size_t mebibyte = 1024 * 1024;
  const Measured small = measure(1000);
  const Measured large = measure(20 * mebibyte);
  EXPECT_EQ(large.status, 0);
  EXPECT_EQ(large.exact, 1);
  EXPECT_LT(large.peak_kib, 64 * 1024);
  EXPECT_LT(large.peak_kib - small.peak_kib, 8 * 1024);
  ::testing::Test::RecordProperty("peak_kib", std::to_string(large.peak_kib));
}

}  // namespace attache::test
