// SPDX-License-Identifier: Apache-2.0
// A private place, and the last of standard error, on hosts that have a directory for the run and on one that has not.
#include <filesystem>

#include <gtest/gtest.h>

#include <attache/sdk/scratch.hpp>
#include <attache/sdk/stderr_tail.hpp>

#include "fake_host.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

namespace fs = std::filesystem;

void run(const attache_host& table, const Recorder& host, std::function<void(sdk::Run&)> body) {
  script = {};
  script.run = [body = std::move(body)](const sdk::Request&, sdk::Run& one) { body(one); };
  const Loaded driver(table);
  attache_request request{};
  request.struct_size = sizeof request;
  const std::string prompt = "prompt";
  request.prompt = span(prompt);
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_OK);
}

TEST(Scratch, IsTheRunsDirectoryWhereTheHostHasOne) {
  const Recorder host;
  std::string path;
  run(fake_host(), host, [&](sdk::Run& one) { path = sdk::Scratch(one, "test").path(); });
  EXPECT_EQ(path, host.directory());
  EXPECT_TRUE(fs::exists(path)) << "the host removes it";
}

TEST(Scratch, IsOneOfItsOwnElsewhereAndGoes) {
  const Recorder host;
  std::string path;
  run(fake_host_1_0(), host, [&](sdk::Run& one) {
    const sdk::Scratch scratch(one, "test");
    path = scratch.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::path(path).filename().string().rfind("attache-test-", 0), 0u);
    fs::create_directory(fs::path(path) / "left");
  });
  EXPECT_FALSE(path.empty());
  EXPECT_FALSE(fs::exists(path));
}

TEST(StderrTail, IsTheEndInUtf8AndComesOnce) {
  const Recorder host;
  run(fake_host(), host, [&](sdk::Run& one) {
    sdk::StderrTail tail;
    tail.report(one);
    tail.take(std::string(100'000, 'a'));
    tail.take("\xFF the end");
    tail.report(one);
    tail.report(one);
  });
  const auto raw = host.events(ATTACHE_EVENT_RAW);
  ASSERT_EQ(raw.size(), 1u);
  const std::string end = "\xEF\xBF\xBD the end";
  EXPECT_EQ(raw[0].text, std::string(sdk::StderrTail::kept - 9, 'a') + end);
}

}  // namespace
}  // namespace attache::testing
