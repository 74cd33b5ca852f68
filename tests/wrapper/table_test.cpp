// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include <gtest/gtest.h>

#include "fake_host.hpp"
#include "guarded.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

class Table : public ::testing::Test {
 protected:
  void SetUp() override { script = {}; }
};

TEST_F(Table, IsOneTableForTheProcess) {
  const attache_driver* first = nullptr;
  const attache_driver* second = nullptr;
  ASSERT_EQ(attache_driver_entry_v1(&fake_host(), &first), ATTACHE_OK);
  ASSERT_EQ(attache_driver_entry_v1(&fake_host(), &second), ATTACHE_OK);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first->struct_size, sizeof(attache_driver));
  EXPECT_EQ(first->minor, ATTACHE_SPI_MINOR);
  EXPECT_EQ(first->reserved0, 0u);
}

TEST_F(Table, OffersOnlyWhatTheClassOverrides) {
  const Loaded driver;
  EXPECT_EQ(driver.table->capabilities, nullptr);
  EXPECT_NE(driver.table->inspect, nullptr);
  EXPECT_NE(driver.table->prepare, nullptr);
}

TEST_F(Table, TakesAHostOfExactlyThe10Size) {
  const attache_driver* table = nullptr;
  EXPECT_EQ(attache_driver_entry_v1(&fake_host_1_0(), &table), ATTACHE_OK);
  EXPECT_EQ(attache_driver_entry_v1(&fake_host(), &table), ATTACHE_OK);
}

TEST_F(Table, RefusesAHostThatIsTooShort) {
  attache_host host = fake_host();
  host.struct_size = offsetof(attache_host, cancelled);
  const Guarded<attache_host> guarded(host, offsetof(attache_host, cancelled));
  const attache_driver* table = nullptr;
  EXPECT_EQ(attache_driver_entry_v1(guarded.get(), &table), ATTACHE_CONTRACT);
  EXPECT_EQ(table, nullptr);
}

TEST_F(Table, RefusesAHostWithReservedBitsOrHoles) {
  const attache_driver* table = nullptr;
  attache_host host = fake_host();
  host.reserved0 = 1;
  EXPECT_EQ(attache_driver_entry_v1(&host, &table), ATTACHE_CONTRACT);
  host = fake_host();
  host.retain = nullptr;
  EXPECT_EQ(attache_driver_entry_v1(&host, &table), ATTACHE_CONTRACT);
  EXPECT_EQ(attache_driver_entry_v1(nullptr, &table), ATTACHE_CONTRACT);
  EXPECT_EQ(attache_driver_entry_v1(&fake_host(), nullptr), ATTACHE_CONTRACT);
  EXPECT_EQ(table, nullptr);
}

TEST_F(Table, DescribesWithTheEmbeddedBytesAndNoMore) {
  const Loaded driver;
  const Recorder sink;
  EXPECT_EQ(driver.table->describe(sink.id()), ATTACHE_OK);
  ASSERT_EQ(sink.documents().size(), 1u);
  EXPECT_EQ(sink.documents()[0], ATTACHE_TEST_DESCRIPTOR);
}

TEST_F(Table, DescribeToADeadSinkIsInternal) {
  const Loaded driver;
  Recorder sink;
  sink.close();
  EXPECT_EQ(driver.table->describe(sink.id()), ATTACHE_INTERNAL);
}

TEST_F(Table, CreateHandsOverTheConfigAndDestroyEndsTheObject) {
  std::string seen;
  bool destroyed = false;
  script.create = [&](std::string_view config) { seen = config; };
  script.destroy = [&] { destroyed = true; };
  {
    const Loaded driver;
    EXPECT_EQ(seen, "{}");
    EXPECT_FALSE(destroyed);
  }
  EXPECT_TRUE(destroyed);
}

TEST_F(Table, AFailedCreateLeavesNoInstance) {
  const Loaded driver;
  script.create = [](std::string_view) {
    throw sdk::Failure(sdk::Status::invalid, "bad_option", "an option is wrong");
  };
  const Recorder sink;
  const attache_span config{"{}", 2};
  attache_instance* instance = reinterpret_cast<attache_instance*>(&script);
  EXPECT_EQ(driver.table->create(&config, sink.id(), &instance), ATTACHE_INVALID);
  EXPECT_EQ(instance, nullptr);
  ASSERT_EQ(sink.errors().size(), 1u);
  EXPECT_EQ(sink.errors()[0].reason, "bad_option");
}

TEST_F(Table, AStatusThatAFunctionMayNotReturnBecomesInternal) {
  const Loaded driver;
  script.create = [](std::string_view) { throw sdk::Failure(sdk::Status::cancelled, "odd", "not for create"); };
  script.prepare = [] { throw sdk::Failure(sdk::Status::timeout, "odd", "not for prepare"); };
  script.inspect = []() -> std::string { throw sdk::Failure(sdk::Status::timeout, "slow", "for inspect it is"); };
  const Recorder sink;
  const attache_span config{"{}", 2};
  attache_instance* instance = nullptr;
  EXPECT_EQ(driver.table->create(&config, sink.id(), &instance), ATTACHE_INTERNAL);
  EXPECT_EQ(driver.table->prepare(driver.instance, sink.id()), ATTACHE_INTERNAL);
  EXPECT_EQ(driver.table->inspect(driver.instance, sink.id()), ATTACHE_TIMEOUT);
  ASSERT_EQ(sink.errors().size(), 3u);
  EXPECT_EQ(sink.errors()[0].status, ATTACHE_INTERNAL);
}

TEST_F(Table, InspectPutsItsDocument) {
  const Loaded driver;
  script.inspect = [] { return std::string("{\"version\":\"1\"}"); };
  const Recorder sink;
  EXPECT_EQ(driver.table->inspect(driver.instance, sink.id()), ATTACHE_OK);
  EXPECT_EQ(sink.documents(), std::vector<std::string>{"{\"version\":\"1\"}"});
}

TEST_F(Table, NullsOfACallAreNoCrash) {
  const Loaded driver;
  const Recorder sink;
  attache_instance* instance = nullptr;
  EXPECT_EQ(driver.table->create(nullptr, sink.id(), &instance), ATTACHE_INTERNAL);
  EXPECT_EQ(driver.table->run(driver.instance, nullptr, sink.id()), ATTACHE_CONTRACT);
  EXPECT_EQ(driver.table->run(nullptr, nullptr, sink.id()), ATTACHE_CONTRACT);
  EXPECT_EQ(driver.table->inspect(nullptr, sink.id()), ATTACHE_INTERNAL);
  driver.table->destroy(nullptr);
}

}  // namespace
}  // namespace attache::testing
