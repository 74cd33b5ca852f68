// SPDX-License-Identifier: Apache-2.0
// Whose files are taken: owners, rights, digests.
#include <cctype>

#include <unistd.h>

#include <attache/sdk/sha256.hpp>

#include "loader/file_policy.hpp"
#include "support.hpp"

namespace attache::test {
namespace {

namespace fs = std::filesystem;
using Stage = LoadAttempt::Stage;

class Rights : public LoaderTest {};

TEST_F(Rights, FileWritableByOthers) {
  const fs::path file = copy(driver_file("test-minimal"));
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  const LoadAttempt attempt = refusal(file, options());
  EXPECT_EQ(attempt.stage, Stage::file);
  EXPECT_EQ(attempt.reason, "writable_by_others");
  EXPECT_FALSE(ran());
  HostOptions host = options();
  host.allow_writable_by_others = true;
  EXPECT_EQ(Host(host).list().files.size(), 1U);
  EXPECT_EQ(Host(options()).list().files.size(), 0U);
}

TEST_F(Rights, DirectoryWritableByOthers) {
  const fs::path file = copy(driver_file("test-minimal"));
  fs::permissions(directory(), fs::perms::others_write | fs::perms::sticky_bit, fs::perm_options::add);
  const LoadAttempt attempt = refusal(file, options());
  EXPECT_EQ(attempt.stage, Stage::file);
  EXPECT_EQ(attempt.reason, "directory_writable_by_others");
  const DriverListing listing = Host(options()).list();
  ASSERT_EQ(listing.report.attempts.size(), 1U);
  EXPECT_EQ(listing.report.attempts[0].stage, Stage::search);
  EXPECT_EQ(listing.report.attempts[0].reason, "directory_writable_by_others");
  EXPECT_FALSE(ran());
}

TEST_F(Rights, LinkIntoADirectoryWritableByOthers) {
  const fs::path open = directory() / "open";
  fs::create_directory(open);
  fs::copy_file(driver_file("test-minimal"), open / "driver.so");
  fs::permissions(open, fs::perms::all);
  fs::create_symlink(open / "driver.so", directory() / "link.so");
  EXPECT_EQ(refusal(directory() / "link.so", options()).reason, "directory_writable_by_others");
}

TEST_F(Rights, OtherOwner) {
  ASSERT_EQ(::geteuid(), 0U) << "this test runs as root";
  const fs::path file = copy(driver_file("test-minimal"));
  ASSERT_EQ(::chown(file.c_str(), 65534, 65534), 0);
  const LoadAttempt attempt = refusal(file, options());
  EXPECT_EQ(attempt.stage, Stage::file);
  EXPECT_EQ(attempt.reason, "other_owner");
  EXPECT_FALSE(ran());
  HostOptions host = options();
  host.allow_other_owners = true;
  EXPECT_EQ(Host(host).list().files.size(), 1U);
}

TEST_F(Rights, DirectoryOfAnotherOwner) {
  ASSERT_EQ(::geteuid(), 0U) << "this test runs as root";
  const fs::path file = copy(driver_file("test-minimal"));
  ASSERT_EQ(::chown(directory().c_str(), 65534, 65534), 0);
  EXPECT_EQ(refusal(file, options()).reason, "directory_other_owner");
  EXPECT_EQ(Host(options()).list().report.attempts.at(0).reason, "directory_other_owner");
}

TEST_F(Rights, OnlyTrustedDigests) {
  const fs::path file = copy(driver_file("test-digest"));
  HostOptions host = options();
  host.trusted_sha256 = {std::string(64, '0')};
  const LoadAttempt attempt = refusal(file, host);
  EXPECT_EQ(attempt.stage, Stage::trust);
  EXPECT_EQ(attempt.reason, "not_trusted");
  EXPECT_FALSE(ran());
  std::string digest = sdk::to_hex(sdk::sha256(read_file(file)));
  for (char& c : digest) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  host.trusted_sha256.push_back(digest);
  EXPECT_EQ(Host(host).driver_from_file(file).descriptor().id, "test-digest");
}

}  // namespace
}  // namespace attache::test
