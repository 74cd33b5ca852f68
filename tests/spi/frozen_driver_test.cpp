// SPDX-License-Identifier: Apache-2.0
// A driver of SPI 1.0 on today's host.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include <attache/attache.hpp>

namespace attache {
namespace {

TEST(FrozenDriver, OfSpi10RunsOnThisHost) {
  std::string base = (std::filesystem::temp_directory_path() / "attache-frozen-XXXXXX").string();
  ASSERT_NE(::mkdtemp(base.data()), nullptr);
  HostOptions places;
  places.directories = {FROZEN_DRIVERS};
  places.installed_directory = false;
  places.probe = false;
  AgentOptions options;
  options.run_base = base;
  const Driver driver = Host(places).driver("frozen-1-0");
  EXPECT_EQ(driver.descriptor().spi_built_minor, 0U);
  Agent agent{driver, options};
  const std::string content = "content";
  const Result result = agent.run(
      "the prompt", with_inputs(input::from_bytes(input::Kind::file, "text/plain", std::as_bytes(std::span(content)))));
  EXPECT_EQ(result.text, "the prompt");
  EXPECT_EQ(result.model, "model of 1.0");
  EXPECT_EQ(result.delivery, Delivery::delivered);
  EXPECT_EQ(result.contract_violations, 0U);
  ASSERT_EQ(result.receipts.size(), 1U);
  EXPECT_EQ(result.receipts[0].outcome, Receipt::Outcome::exact);
  EXPECT_TRUE(std::filesystem::is_empty(base));
  std::filesystem::remove_all(base);
}

}  // namespace
}  // namespace attache
