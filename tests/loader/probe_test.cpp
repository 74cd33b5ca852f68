// SPDX-License-Identifier: Apache-2.0
// Drivers that crash or hang while they are loaded do so in the probe; the host lives on and says what happened.
#include <gmock/gmock.h>

#include <attache/sdk/sha256.hpp>

#include "loader/installation.hpp"
#include "loader/probe_child.hpp"
#include "loader/probe_result.hpp"
#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;
using ::testing::HasSubstr;

class Probe : public LoaderTest {};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* crash_text = "ended the probe process";  // the sanitizer turns the signal into an exit code
#else
constexpr const char* crash_text = "signal 11 (SIGSEGV)";
#endif

TEST_F(Probe, CrashInAConstructor) {
  const LoadAttempt attempt = refusal(copy(driver_file("test-crash-load")), options());
  EXPECT_EQ(attempt.stage, Stage::probe);
  EXPECT_EQ(attempt.reason, "crashed");
  EXPECT_THAT(attempt.text, HasSubstr(crash_text));
}

TEST_F(Probe, CrashInTheEntryFunction) {
  const LoadAttempt attempt = refusal(copy(driver_file("test-crash-entry")), options());
  EXPECT_EQ(attempt.stage, Stage::probe);
  EXPECT_EQ(attempt.reason, "crashed");
  EXPECT_THAT(attempt.text, HasSubstr("ended the probe process"));
}

TEST_F(Probe, HangInAConstructor) {
  const StepResult result =
      probe_in_child(installed_probe(options()), copy(driver_file("test-hang-load")), std::chrono::milliseconds(300));
  EXPECT_EQ(result.stage, Stage::probe);
  EXPECT_EQ(result.reason, "hung");
  EXPECT_THAT(result.text, HasSubstr("300 ms"));
}

TEST_F(Probe, RefusalsKeepTheirStage) {
  const LoadAttempt attempt = refusal(copy(driver_file("test-other-describe")), options());
  EXPECT_EQ(attempt.stage, Stage::describe);
  EXPECT_EQ(attempt.reason, "descriptor_differs");
  const LoadAttempt missing = refusal(copy(other_library("undefined")), options());
  EXPECT_EQ(missing.stage, Stage::load);
  EXPECT_THAT(missing.hint, HasSubstr("attache_test_nobody_has_this"));
}

TEST_F(Probe, MissingProbeIsAnError) {
  HostOptions host = options();
  host.prefix = directory();
  const LoadAttempt attempt = refusal(copy(driver_file("test-no-probe")), host);
  EXPECT_EQ(attempt.stage, Stage::probe);
  EXPECT_EQ(attempt.reason, "probe_missing");
  EXPECT_FALSE(ran());
}

TEST_F(Probe, NotWantedOrNotNeeded) {
  // Without a probe program these load only when none is asked for.
  HostOptions host = options();
  host.prefix = directory();
  host.probe = false;
  EXPECT_EQ(Host(host).driver_from_file(copy(driver_file("test-no-probe"))).descriptor().id, "test-no-probe");
  const fs::path trusted = copy(driver_file("test-trusted"));
  host.probe = true;
  host.trusted_sha256 = {sdk::to_hex(sdk::sha256(read_file(trusted)))};
  EXPECT_EQ(Host(host).driver_from_file(trusted).descriptor().id, "test-trusted");
}

TEST_F(Probe, ResultLine) {
  const StepResult result{Stage::entry, "table_size", "a text\twith\na tab", "a hint"};
  const auto read = parse_probe_line(probe_line(result));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->stage, Stage::entry);
  EXPECT_EQ(read->reason, "table_size");
  EXPECT_EQ(read->text, "a text with a tab");
  EXPECT_EQ(read->hint, "a hint");
  EXPECT_FALSE(parse_probe_line("").has_value());
  EXPECT_FALSE(parse_probe_line("hello\tdone\t\t\t").has_value());
  EXPECT_FALSE(parse_probe_line("attache-probe 1\tdone\t\t").has_value());
  EXPECT_FALSE(parse_probe_line("attache-probe 1\tdone\t\t\t\t").has_value());
  EXPECT_FALSE(parse_probe_line("attache-probe 1\tsomewhere\t\t\t").has_value());
}

}  // namespace
}  // namespace attache::test
