// SPDX-License-Identifier: Apache-2.0
// One turn with a shell script for a provider.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <stdlib.h>

#include <attache/sdk/process_turn.hpp>
#include <attache/sdk/sha256.hpp>

#include "fake_host.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

class ProcessTurn : public ::testing::Test {
 protected:
  ProcessTurn() {
    std::string name = (std::filesystem::temp_directory_path() / "process-turn-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
    directory_ = name;
    path_ = (directory_ / "input").string();
    std::ofstream(path_) << "abc";
    input_.struct_size = sizeof input_;
    input_.index = 5;
    input_.kind = ATTACHE_KIND_FILE;
    input_.mode = ATTACHE_MODE_NATIVE;
    input_.media_type = span(media_type_);
    input_.local_path = span(path_);
    input_.size = 3;
    const sdk::Digest digest = sdk::sha256("abc");
    std::copy(digest.begin(), digest.end(), std::begin(input_.sha256));
  }
  ~ProcessTurn() override { std::filesystem::remove_all(directory_); }

  attache_status run(const std::string& shell, sdk::Encoding encoding = sdk::Encoding::base64) {
    script = {};
    script.run = [&](const sdk::Request& request, sdk::Run& reports) {
      sdk::JsonFrame frame;
      frame.set_document("{\"data\":\"" + frame.add(sdk::slot_of(request.inputs()[0], encoding)) + "\"}");
      sdk::TurnHandlers handlers;
      handlers.on_frame = [&](sdk::Frame& one) {
        frames_.push_back(one.json);
        if (one.json == "\"no\"") throw sdk::Failure(sdk::Status::provider_refused, "said_no", "it said no");
        return one.json == "\"over\"";
      };
      handlers.on_stderr = [&](std::string_view chunk) { errors_ += chunk; };
      exit_ = sdk::run_process_turn(request, reports, {executable_, {"-c", shell}, {"PATH=/usr/bin:/bin"}, directory_},
                                    frame, handlers);
    };
    const Loaded driver(*table_);
    const attache_input* const inputs[] = {&input_};
    attache_request request{};
    request.struct_size = sizeof request;
    request.inputs = inputs;
    request.input_count = 1;
    return driver.table->run(driver.instance, &request, host_.id());
  }
  const attache_host* table_ = &fake_host();
  std::string reason() const { return host_.errors().at(0).reason; }

  std::filesystem::path directory_;
  std::string path_;
  const std::string media_type_ = "text/plain";
  std::string executable_ = "/bin/sh";
  attache_input input_{};
  Recorder host_;
  std::vector<std::string> frames_;
  std::string errors_;
  sdk::ExitStatus exit_;
};

TEST_F(ProcessTurn, SendsTheFrameAndGivesBackFramesAndExit) {
  EXPECT_EQ(run("read line; echo \"$line\"; echo '\"over\"'; cat; exit 3"), ATTACHE_OK);
  EXPECT_EQ(frames_, (std::vector<std::string>{"{\"data\":\"YWJj\"}", "\"over\""}));
  EXPECT_EQ(exit_.kind, sdk::ExitStatus::Kind::exited);
  EXPECT_EQ(exit_.value, 3);
  EXPECT_EQ(host_.deliveries(),
            (std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}));
}

TEST_F(ProcessTurn, WhatTheDescriptorDoesNotDeclareIsRefusedBeforeAnythingStarts) {
  std::size_t runs = 0;
  const auto refused = [&](std::uint32_t kind, std::uint32_t mode, const std::string& type) {
    input_.kind = kind;
    input_.mode = mode;
    input_.media_type = span(type);
    ++runs;
    const attache_status status = run("touch started");
    EXPECT_FALSE(std::filesystem::exists(directory_ / "started"));
    EXPECT_EQ(host_.errors().size(), runs);
    EXPECT_EQ(host_.errors().back().input_index, 5);
    return status;
  };
  EXPECT_EQ(refused(ATTACHE_KIND_IMAGE, ATTACHE_MODE_NATIVE, "image/png"), ATTACHE_UNSUPPORTED_KIND);
  EXPECT_EQ(refused(77, ATTACHE_MODE_NATIVE, "text/plain"), ATTACHE_UNSUPPORTED_KIND);
  EXPECT_EQ(refused(ATTACHE_KIND_FILE, ATTACHE_MODE_WORKSPACE_REFERENCE, "text/plain"), ATTACHE_UNSUPPORTED_MODE);
  EXPECT_EQ(refused(ATTACHE_KIND_FILE, 77, "text/plain"), ATTACHE_UNSUPPORTED_MODE);
  EXPECT_EQ(refused(ATTACHE_KIND_AUDIO, ATTACHE_MODE_NATIVE, "audio/wave"), ATTACHE_UNSUPPORTED_MEDIA_TYPE);
  EXPECT_EQ(refused(ATTACHE_KIND_FILE, ATTACHE_MODE_NATIVE, "textual/plain"), ATTACHE_UNSUPPORTED_MEDIA_TYPE);
}

TEST_F(ProcessTurn, TellsTheHostItsGroupBeforeTheFirstFrame) {
  EXPECT_EQ(run("read line; echo $$; echo '\"over\"'"), ATTACHE_OK);
  const auto groups = host_.groups();
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(std::to_string(groups[0].first), frames_.at(0));
  EXPECT_NE(groups[0].second, 0u);
}

TEST_F(ProcessTurn, GoesOnWithAHostOf10) {
  table_ = &fake_host_1_0();
  EXPECT_EQ(run("read line; echo '\"over\"'"), ATTACHE_OK);
  EXPECT_TRUE(host_.groups().empty());
}

TEST_F(ProcessTurn, GivesALastFrameWithoutALineEnd) {
  EXPECT_EQ(run("read line; printf '\"over\"'"), ATTACHE_OK);
}

TEST_F(ProcessTurn, NoResultHasTheExitCode) {
  EXPECT_EQ(run("read line; echo oops >&2; echo 1; exit 7"), ATTACHE_PROVIDER_FAILED);
  EXPECT_EQ(reason(), "no_result");
  EXPECT_EQ(host_.errors()[0].provider_code, 7u);
  EXPECT_EQ(errors_, "oops\n");
}

TEST_F(ProcessTurn, AFailureOfAHandlerPasses) {
  EXPECT_EQ(run("read line; echo '\"no\"'; cat"), ATTACHE_PROVIDER_REFUSED);
  EXPECT_EQ(reason(), "said_no");
}

TEST_F(ProcessTurn, ALaunchThatFailsDeliversNothing) {
  executable_ = "/no/such/program";
  EXPECT_EQ(run(""), ATTACHE_LAUNCH_FAILED);
  EXPECT_EQ(reason(), "executable_not_found");
  EXPECT_EQ(host_.deliveries(), std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED});
}

TEST_F(ProcessTurn, AFileThatChangedIsAContractFailureOfItsInput) {
  input_.sha256[0] ^= 1;
  EXPECT_EQ(run("cat"), ATTACHE_CONTRACT);
  EXPECT_EQ(reason(), "digest_changed");
  EXPECT_EQ(host_.errors()[0].input_index, 5);
  EXPECT_EQ(host_.errors()[0].text.find(path_), std::string::npos);
}

TEST_F(ProcessTurn, TextThatIsNotUtf8IsInvalid) {
  std::ofstream(path_) << "a\xff"
                          "b";
  const sdk::Digest digest = sdk::sha256(
      "a\xff"
      "b");
  std::copy(digest.begin(), digest.end(), std::begin(input_.sha256));
  EXPECT_EQ(run("cat", sdk::Encoding::text), ATTACHE_INVALID);
  EXPECT_EQ(reason(), "text_not_utf8");
  EXPECT_EQ(host_.errors()[0].input_index, 5);
}

}  // namespace
}  // namespace attache::testing
