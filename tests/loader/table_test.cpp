// SPDX-License-Identifier: Apache-2.0
// What is refused of a driver's table, in this process and with the probe's word alike.
#include <gmock/gmock.h>

#include "loader/load_driver.hpp"
#include "loader/mapping.hpp"
#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;

struct Case {
  const char* id;
  Stage stage;
  const char* reason;
};

class Table : public LoaderTest, public ::testing::WithParamInterface<Case> {};

TEST_P(Table, IsRefused) {
  const fs::path file = copy(driver_file(GetParam().id));
  HostOptions host = options();
  for (const bool probe : {true, false}) {
    host.probe = probe;
    const LoadAttempt attempt = refusal(file, host);
    EXPECT_EQ(attempt.stage, GetParam().stage);
    EXPECT_EQ(attempt.reason, GetParam().reason);
    EXPECT_EQ(attempt.id, GetParam().id);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Table,
                         ::testing::Values(Case{"test-short-table", Stage::entry, "table_size"},
                                           Case{"test-no-run", Stage::entry, "table_function_missing"},
                                           Case{"test-minor-too-high", Stage::entry, "table_minor"},
                                           Case{"test-reserved-set", Stage::entry, "table_reserved"},
                                           Case{"test-null-table", Stage::entry, "no_table"},
                                           Case{"test-entry-fails", Stage::entry, "entry_failed"},
                                           Case{"test-other-describe", Stage::describe, "descriptor_differs"}),
                         [](const auto& test) {
                           std::string name = test.param.id;
                           std::erase(name, '-');
                           return name;
                         });

class Identity : public LoaderTest {};

TEST_F(Identity, ReplacedBetweenCheckAndLoad) {
  const fs::path file = copy(driver_file("test-replaced"));
  const StaticCheck check = check_statically(file, options());
  ASSERT_FALSE(check.result.failed());
  fs::rename(copy(driver_file("test-replaced"), "new"), file);
  LoadedDriver driver;
  const StepResult result = load_in_process(check, driver);
  EXPECT_EQ(result.stage, Stage::identity);
  EXPECT_EQ(result.reason, "file_replaced");
  EXPECT_EQ(driver.table, nullptr);
}

TEST_F(Identity, OfAFileAndOfCode) {
  const auto own = BoundedFile::open("/proc/self/exe");
  ASSERT_TRUE(own.file.has_value());
  static const int data = 7;
  EXPECT_EQ(file_identity(*own.file), mapped_identity(&data));
  int on_the_stack = 0;
  EXPECT_NE(file_identity(*own.file), mapped_identity(&on_the_stack));
  EXPECT_EQ(mapped_identity(nullptr), std::nullopt);
}

}  // namespace
}  // namespace attache::test
