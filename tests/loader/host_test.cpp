// SPDX-License-Identifier: Apache-2.0
// Finding and loading through Host.
#include <fstream>

#include <gmock/gmock.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv

#include <attache/sdk/sha256.hpp>

#include "loader/loaded_driver.hpp"
#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;
using ::testing::HasSubstr;

/// How often a library is mapped in this process.
bool mapped(const fs::path& path) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.ends_with(path.string())) return true;
  }
  return false;
}

class HostLoads : public LoaderTest {
 protected:
  LoadError not_loaded(const HostOptions& host, std::string_view id) {
    try {
      (void)Host(host).driver(id);
    } catch (const LoadError& error) {
      return error;
    }
    ADD_FAILURE() << "it was loaded";
    return {errc::internal, "", "", {}};
  }
};

TEST_F(HostLoads, ByIdWhateverTheFileIsCalled) {
  copy(driver_file("test-by-name"), "another-name.so");
  const Driver driver = Host(options()).driver("test-by-name");
  EXPECT_TRUE(ran());
  EXPECT_EQ(driver.descriptor().id, "test-by-name");
  EXPECT_EQ(driver.path(), directory() / "another-name.so");
  EXPECT_NE(DriverAccess::get(driver).table, nullptr);
}

TEST_F(HostLoads, R_O1_BuiltLaterLoadsOnceAndIsNeverUnloaded) {
  // Not refused for being newer: it says that it also works with this host.
  const fs::path file = copy(driver_file("test-built-later"));
  const LoadedDriver* first = nullptr;
  {
    const Driver driver = Host(options()).driver("test-built-later");
    first = &DriverAccess::get(driver);
    EXPECT_EQ(driver.descriptor().spi_built_minor, 9U);
  }
  EXPECT_TRUE(mapped(file));
  const Driver again = Host(options()).driver_from_file(file);
  EXPECT_EQ(&DriverAccess::get(again), first);
}

TEST_F(HostLoads, R_O1_TooNewIsRefusedWithBothVersions) {
  copy(driver_file("test-too-new"));
  copy(driver_file("test-other-id"));
  const LoadError error = not_loaded(options(), "test-too-new");
  EXPECT_EQ(error.code(), errc::driver_refused);
  EXPECT_EQ(error.reason(), "spi_minor_too_new");
  EXPECT_FALSE(ran());
  EXPECT_THAT(error.what(), HasSubstr("needs SPI 1.3 or later, this host implements SPI 1.1"));
  EXPECT_EQ(Host(options()).driver("test-other-id").descriptor().id, "test-other-id");  // others work
}

TEST_F(HostLoads, R_O1_OtherMajorIsRefusedUnrun) {
  const LoadAttempt attempt = refusal(copy(other_library("spi2")), options());
  EXPECT_EQ(attempt.stage, Stage::version);
  EXPECT_EQ(attempt.reason, "other_spi_major");
  EXPECT_THAT(attempt.text, HasSubstr("SPI 2"));
  EXPECT_THAT(attempt.text, HasSubstr("SPI 1.1"));
  EXPECT_FALSE(ran());
}

TEST_F(HostLoads, StagesOfFilesThatAreNoDriver) {
  const auto stage = [&](const fs::path& file) { return refusal(file, options()).stage; };
  write_file(directory() / "text.so", "no library");
  EXPECT_EQ(stage(directory() / "text.so"), Stage::elf);
  EXPECT_EQ(stage(directory()), Stage::file);
  EXPECT_EQ(stage(copy(other_library("no_descriptor"))), Stage::descriptor);
  EXPECT_EQ(stage(copy(other_library("bad_document"))), Stage::descriptor);
  const fs::path cut = copy(driver_file("test-minimal"));
  fs::resize_file(cut, fs::file_size(cut) / 2);
  EXPECT_EQ(stage(cut), Stage::elf);
  EXPECT_FALSE(ran());
}

TEST_F(HostLoads, MissingFileIsNotFound) {
  try {
    (void)Host(options()).driver_from_file(directory() / "nothing.so");
    FAIL();
  } catch (const LoadError& error) {
    EXPECT_EQ(error.code(), errc::driver_not_found);
    EXPECT_THAT(error.report().to_text(), HasSubstr((directory() / "nothing.so").string() + ": file (not_found)"));
  }
}

TEST_F(HostLoads, UnknownIdReportsEveryPlace) {
  copy(driver_file("test-minimal"));
  write_file(directory() / "text.so", "no library");
  HostOptions host = options();
  host.directories = {directory(), directory() / "missing", "relative/dir"};
  const LoadError error = not_loaded(host, "nobody");
  EXPECT_EQ(error.code(), errc::driver_not_found);
  const auto& attempts = error.report().attempts;
  ASSERT_EQ(attempts.size(), 4U);
  EXPECT_EQ(attempts[0].stage, Stage::done);
  EXPECT_EQ(attempts[0].id, "test-minimal");
  EXPECT_EQ(attempts[1].reason, "not_a_library");
  EXPECT_EQ(attempts[2].reason, "not_found");
  EXPECT_EQ(attempts[3].reason, "relative_directory");
  const std::string text = error.report().to_text();
  for (const LoadAttempt& attempt : attempts) EXPECT_THAT(text, HasSubstr(attempt.place));
  EXPECT_THAT(text, HasSubstr("hint: name it by an absolute path"));
  EXPECT_FALSE(ran());
}

TEST_F(HostLoads, DamagedFileWithTheRightNameIsTheReason) {
  write_file(directory() / "attache-driver-broken-one.so", "no library");
  const LoadError error = not_loaded(options(), "broken-one");
  EXPECT_EQ(error.code(), errc::driver_refused);
  EXPECT_EQ(error.reason(), "not_a_library");
}

TEST_F(HostLoads, RelativeDirectoryIsNeverSearched) {
  copy(driver_file("test-minimal"));
  const fs::path before = fs::current_path();
  fs::current_path(directory());
  HostOptions host = options();
  host.directories = {"."};
  const LoadError error = not_loaded(host, "test-minimal");
  fs::current_path(before);
  EXPECT_EQ(error.report().attempts.at(0).reason, "relative_directory");
  EXPECT_FALSE(ran());
}

TEST_F(HostLoads, TwoWithOneIdFirstDirectoryWins) {
  fs::create_directory(directory() / "second");
  copy(driver_file("test-minimal"));
  fs::copy_file(driver_file("test-minimal"), directory() / "second" / "other.so");
  HostOptions host = options();
  host.directories = {directory(), directory() / "second"};
  const DriverListing listing = Host(host).list();
  ASSERT_EQ(listing.files.size(), 1U);
  EXPECT_EQ(listing.files[0].sha256, sdk::to_hex(sdk::sha256(read_file(driver_file("test-minimal")))));
  EXPECT_EQ(listing.paths.at(0), directory() / "attache-driver-test-minimal.so");
  ASSERT_EQ(listing.report.attempts.size(), 2U);
  EXPECT_EQ(listing.report.attempts[1].reason, "shadowed");
  EXPECT_EQ(listing.report.attempts[1].id, "test-minimal");
  EXPECT_THAT(listing.report.attempts[1].text, HasSubstr(listing.paths[0].string()));
  EXPECT_FALSE(ran());
}

TEST_F(HostLoads, IdThatIsInUseStaysWithItsFirstFile) {
  const fs::path first = copy(driver_file("test-lto"), "first.so");
  fs::create_directory(directory() / "second");
  fs::copy_file(driver_file("test-lto"), directory() / "second" / "other.so");
  const Driver driver = Host(options()).driver_from_file(first);
  HostOptions host = options();
  host.directories = {directory() / "second"};
  EXPECT_EQ(Host(host).driver("test-lto").path(), first);
  const LoadAttempt attempt = refusal(directory() / "second" / "other.so", options());
  EXPECT_EQ(attempt.reason, "id_in_use");
}

TEST_F(HostLoads, AListOfTrustedDigestsIsAskedAboutTheFileThatIsLoaded) {
  const fs::path first = copy(driver_file("test-listed"), "first.so");
  fs::create_directory(directory() / "second");
  fs::copy_file(driver_file("test-listed"), directory() / "second" / "other.so");
  const Driver driver = Host(options()).driver_from_file(first);
  HostOptions host = options();
  host.directories = {directory() / "second"};
  host.trusted_sha256 = {sdk::to_hex(sdk::sha256(read_file(first)))};
  EXPECT_EQ(Host(host).driver("test-listed").path(), first);
  std::ofstream(first, std::ios::binary | std::ios::app) << "more";
  EXPECT_EQ(not_loaded(host, "test-listed").reason(), "not_trusted");
}

TEST_F(HostLoads, EnvironmentVariableOnlyWhenTheHostNamesIt) {
  copy(driver_file("test-minimal"));
  ::setenv("ATTACHE_TEST_DIRECTORIES", (":" + directory().string() + "::relative").c_str(), 1);
  HostOptions host = options();
  host.directories.clear();
  EXPECT_TRUE(Host(host).list().files.empty());
  host.directories_variable = "ATTACHE_TEST_DIRECTORIES";
  const DriverListing listing = Host(host).list();
  ::unsetenv("ATTACHE_TEST_DIRECTORIES");
  EXPECT_EQ(listing.files.size(), 1U);
  ASSERT_EQ(listing.report.attempts.size(), 2U);
  EXPECT_EQ(listing.report.attempts[1].reason, "relative_directory");
}

TEST_F(HostLoads, InstalledDirectoryComesFromThePrefix) {
  HostOptions host;
  host.prefix = directory();
  const DriverListing listing = Host(host).list();
  ASSERT_EQ(listing.report.attempts.size(), 1U);
  EXPECT_EQ(listing.report.attempts[0].place, (directory() / ATTACHE_TEST_DRIVER_DIR).string());
  const DriverListing own = Host(HostOptions{}).list();  // beside this program: the build tree
  ASSERT_FALSE(own.report.attempts.empty());
  EXPECT_THAT(
      own.report.attempts[0].place,
      HasSubstr((fs::read_symlink("/proc/self/exe").parent_path().parent_path() / ATTACHE_TEST_DRIVER_DIR).string()));
}

TEST_F(HostLoads, MissingLibraryFunctionIsNamed) {
  HostOptions host = options();
  host.probe = false;
  const LoadAttempt attempt = refusal(copy(other_library("undefined")), host);
  EXPECT_EQ(attempt.stage, Stage::load);
  EXPECT_EQ(attempt.reason, "loader_failed");
  EXPECT_THAT(attempt.hint, HasSubstr("attache_test_nobody_has_this"));
}

TEST_F(HostLoads, SanitizedDriverIsNamedNotLoaded) {
  const LoadAttempt attempt = refusal(copy(other_library("sanitized")), options());
  EXPECT_EQ(attempt.stage, Stage::elf);
  EXPECT_EQ(attempt.reason, "sanitizer_mismatch");
  EXPECT_THAT(attempt.text, HasSubstr("sanitizer"));
  EXPECT_FALSE(ran());
}

TEST_F(HostLoads, FileChangedInPlaceAfterLoading) {
  const fs::path file = copy(driver_file("test-changed"));
  const Driver driver = Host(options()).driver_from_file(file);
  fs::permissions(file, fs::perms::group_write, fs::perm_options::remove);
  fs::create_hard_link(file, directory() / "backup");
  EXPECT_EQ(&DriverAccess::get(Host(options()).driver_from_file(file)), &DriverAccess::get(driver));
  // Also where the size stays.
  { std::fstream(file, std::ios::binary | std::ios::in | std::ios::out) << '\x7f'; }
  EXPECT_EQ(refusal(file, options()).reason, "changed_since_load");
}

TEST_F(HostLoads, FileReplacedByRenameKeepsTheFirst) {
  const fs::path file = copy(driver_file("test-renamed"));
  const Driver driver = Host(options()).driver_from_file(file);
  fs::rename(copy(driver_file("test-renamed"), "new"), file);
  const Driver again = Host(options()).driver_from_file(file);
  EXPECT_EQ(&DriverAccess::get(again), &DriverAccess::get(driver));
}

}  // namespace
}  // namespace attache::test
