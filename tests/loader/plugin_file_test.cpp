// SPDX-License-Identifier: Apache-2.0
// What the static reader says of files of every sort. None of their code may run.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <attache/sdk/sha256.hpp>

#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class PluginFile : public LoaderTest {
 protected:
  /// The reason for a file that is no driver.
  std::string reason(const fs::path& path) {
    const FileReport report = read_plugin_file(path);
    EXPECT_FALSE(report.ok);
    EXPECT_FALSE(report.descriptor.has_value());
    EXPECT_FALSE(report.text.empty());
    EXPECT_FALSE(report.hint.empty());
    EXPECT_FALSE(ran());
    return report.reason;
  }
};

TEST_F(PluginFile, DriverIsReadWithoutRunning) {
  const FileReport report = read_plugin_file(driver_file("test-minimal"));
  ASSERT_TRUE(report.ok) << report.text;
  EXPECT_EQ(report.descriptor->id, "test-minimal");
  EXPECT_EQ(report.descriptor->json, read_file(descriptor_file("test-minimal")));
  EXPECT_EQ(report.sha256, sdk::to_hex(sdk::sha256(read_file(driver_file("test-minimal")))));
  EXPECT_EQ(report.size, fs::file_size(driver_file("test-minimal")));
  EXPECT_THAT(report.exported_symbols, UnorderedElementsAre("attache_descriptor_v1", "attache_driver_entry_v1"));
  EXPECT_THAT(report.undefined_symbols, Contains("fopen"));
  EXPECT_THAT(report.needed, Contains(HasSubstr("libc.so")));
  EXPECT_THAT(report.run_paths, IsEmpty());
  EXPECT_FALSE(report.has_unique_symbols);
  EXPECT_FALSE(ran());
}

TEST_F(PluginFile, SymbolicLinkIsFollowed) {
  fs::create_symlink(driver_file("test-minimal"), directory() / "link.so");
  EXPECT_TRUE(read_plugin_file(directory() / "link.so").ok);
}

TEST_F(PluginFile, NotAFileToRead) {
  ASSERT_EQ(::mkfifo((directory() / "fifo").c_str(), 0600), 0);
  fs::create_symlink(directory() / "fifo", directory() / "link");
  EXPECT_EQ(reason(directory() / "nothing"), "not_found");
  EXPECT_EQ(reason(directory()), "not_regular");
  EXPECT_EQ(reason(directory() / "fifo"), "not_regular");
  EXPECT_EQ(reason(directory() / "link"), "not_regular");
  EXPECT_EQ(reason("/dev/null"), "not_regular");
}

TEST_F(PluginFile, R_O1_NotALibrary) {
  write_file(directory() / "empty", "");
  write_file(directory() / "text", "<!doctype html><title>not found</title>\n");
  write_file(directory() / "start", std::string_view("\x7f"
                                                     "ELF\x02\x01\x01\0",
                                                     8));
  EXPECT_EQ(reason(directory() / "empty"), "too_small");
  EXPECT_EQ(reason(directory() / "text"), "not_a_library");
  EXPECT_EQ(reason(directory() / "start"), "too_small");
}

TEST_F(PluginFile, OtherKindsOfElf) {
  std::string bytes = read_file(driver_file("test-minimal"));
  const auto variant = [&](std::size_t at, char value) {
    std::string changed = bytes;
    changed[at] = value;
    write_file(directory() / "variant", changed);
    return reason(directory() / "variant");
  };
  EXPECT_EQ(variant(4, 1), "other_platform");   // 32 bits
  EXPECT_EQ(variant(5, 2), "other_platform");   // big endian
  EXPECT_EQ(variant(18, 8), "other_platform");  // MIPS
  EXPECT_EQ(variant(16, 1), "not_a_library");   // an object file
}

TEST_F(PluginFile, R_O1_LibrariesThatAreNoDriver) {
  EXPECT_EQ(reason(other_library("no_descriptor")), "no_descriptor");
  EXPECT_EQ(reason(other_library("no_entry")), "malformed");
  EXPECT_EQ(reason(other_library("writable")), "malformed");
  EXPECT_EQ(reason(other_library("bad_magic")), "malformed");
  EXPECT_EQ(reason(other_library("bad_length")), "malformed");
  EXPECT_EQ(reason(other_library("bad_schema")), "descriptor_invalid");
}

TEST_F(PluginFile, SystemLibraryIsReadAndIsNoDriver) {
  const FileReport report = read_plugin_file(driver_file("test-minimal"));
  ASSERT_TRUE(report.ok);
  const Outcome listing = run_program("/sbin/ldconfig", {"-p"});
  const auto arrow = listing.out.find("=> ", listing.out.find("libc.so.6 "));
  ASSERT_NE(arrow, std::string::npos);
  const fs::path libc = listing.out.substr(arrow + 3, listing.out.find('\n', arrow) - arrow - 3);
  const FileReport system = read_plugin_file(libc);
  EXPECT_EQ(system.reason, "no_descriptor") << system.text;
  EXPECT_GT(system.exported_symbols.size(), 2000U);
}

TEST_F(PluginFile, FaultsOfTheDocumentAreListed) {
  const FileReport report = read_plugin_file(other_library("bad_document"));
  EXPECT_EQ(report.reason, "descriptor_invalid");
  EXPECT_GT(report.faults.size(), 5U);
  EXPECT_THAT(report.text, HasSubstr("required key is missing"));
  EXPECT_FALSE(ran());
}

TEST_F(PluginFile, R_O1_OtherMajorNamesBothVersions) {
  const FileReport report = read_plugin_file(other_library("spi2"));
  EXPECT_EQ(report.reason, "other_spi_major");
  EXPECT_EQ(report.text, "the driver is built for SPI 2, this host implements SPI 1.1");
  EXPECT_THAT(report.hint, HasSubstr("SPI 1, or a host that implements SPI 2"));
  EXPECT_FALSE(ran());
}

}  // namespace
}  // namespace attache::test
