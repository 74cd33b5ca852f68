// SPDX-License-Identifier: Apache-2.0
#include "spi/read_struct.hpp"

#include <gtest/gtest.h>

namespace attache::spi {
namespace {

attache_status prepare(attache_instance*, attache_sink) {
  return ATTACHE_OK;
}

TEST(DriverFunction, BeyondTheTablesSizeIsNotProvided) {
  attache_driver table{};
  table.prepare = prepare;
  table.struct_size = offsetof(attache_driver, prepare);
  EXPECT_EQ(driver_function(table, &attache_driver::prepare), nullptr);
  table.struct_size += sizeof table.prepare;
  EXPECT_EQ(driver_function(table, &attache_driver::prepare), &prepare);
  EXPECT_EQ(driver_function(table, &attache_driver::inspect), nullptr);
}

TEST(ReadStruct, ZeroFillsWhatTheOtherSideLacks) {
  attache_input from{};
  from.struct_size = offsetof(attache_input, kind);
  from.index = 7;
  from.kind = 9;
  attache_input to{};
  to.mode = 5;
  ASSERT_TRUE(read_struct(&from, 8, to));
  EXPECT_EQ(to.index, 7U);
  EXPECT_EQ(to.kind, 0U);
  EXPECT_EQ(to.mode, 0U);
}

TEST(ReadStruct, RefusesNullAndTooShort) {
  attache_input from{};
  from.struct_size = 7;
  attache_input to{};
  EXPECT_FALSE(read_struct(&from, 8, to));
  EXPECT_FALSE(read_struct<attache_input>(nullptr, 8, to));
}

TEST(Span, NullWithASizeIsNotWellFormed) {
  EXPECT_TRUE(well_formed({nullptr, 0}));
  EXPECT_FALSE(well_formed({nullptr, 1}));
  EXPECT_TRUE(well_formed({"x", max_span}));
  EXPECT_FALSE(well_formed({"x", max_span + 1}));
}

}  // namespace
}  // namespace attache::spi
