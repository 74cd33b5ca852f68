// SPDX-License-Identifier: Apache-2.0
// What the real CLI would lose or change without a word: refused before anything is sent, or a typed error afterwards.
#include <sys/stat.h>

#include "harness.hpp"

namespace attache::testing {
namespace {

using input::Kind;

class CodebuddyLoss : public CodebuddyTest {};

TEST_F(CodebuddyLoss, R_D3_AnImageForAModelWithoutImagesIsRefused) {
  for (const auto& [how, model] : {std::pair{"blind", ""}, std::pair{"ok", "page"}}) {
    scenario(how);
    const nlohmann::json more = *model == '\0' ? nlohmann::json::object() : nlohmann::json{{"model", model}};
    Agent codebuddy = agent(more);
    EXPECT_THROW(codebuddy.run("look", with_inputs(picture())), InputError) << model;
    EXPECT_FALSE(sent());
  }
}

TEST_F(CodebuddyLoss, AnImageForAModelThatTheListSaysNothingOfIsSent) {
  for (const char* model : {"first", "silent", "not in the list"}) {
    agent({{"model", model}}).run("look", with_inputs(picture()));
  }
  EXPECT_EQ(turns().size(), 3u);
}

TEST_F(CodebuddyLoss, NoImageBecomesASinglePixelOrIsReencoded) {
  agent().run("look", with_inputs(picture()));
  EXPECT_EQ(starts().at(0)["environment"]["CODEBUDDY_CODE_IMAGE_COMPRESSION_MAX_DIMENSION"], "100000");
  EXPECT_THROW(agent({{"pass_environment", {"CODEBUDDY_CODE_IMAGE_COMPRESSION_MAX_DIMENSION"}}}), Error);
}

TEST_F(CodebuddyLoss, ADecompressionBombIsKnownByItsHeader) {
  const auto bomb = input::from_path(Kind::image, file("bomb.png", png_that_claims(200'000, 200'000)));
  expect_refused(agent(), "look", {bomb}, "side_limit");
}

TEST_F(CodebuddyLoss, AFifoIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((root_ / "pipe.png").c_str(), 0600), 0);
  expect_refused(agent(), "look", {input::from_path(Kind::image, root_ / "pipe.png")}, "not_regular");
}

TEST_F(CodebuddyLoss, AudioIsRefused) {
  const std::string wav =
      std::string("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0", 36) +
      std::string("data\0\0\0\0", 8) + std::string(64, '\0');
  expect_refused(agent(), "listen", {input::from_path(Kind::audio, file("a.wav", wav))}, "kind_unsupported");
}

TEST_F(CodebuddyLoss, AMentionOfAnExistingFileIsRefusedUnlessAllowed) {
  file("work/notes.txt", "private");
  for (const char* prompt : {"Read @/etc/hostname now.", "see @notes.txt", "(@notes.txt)", "@\"notes.txt\""}) {
    SCOPED_TRACE(prompt);
    expect_refused(agent(nlohmann::json::object(), nullptr, root_ / "work"), prompt, {}, "file_mention");
  }
  agent({{"allow_file_mentions", true}}).run("Read @/etc/hostname now.");
  agent().run("Mail a@example.invalid about @nobody.");
  EXPECT_EQ(turns().size(), 2u);
  EXPECT_EQ(turns().at(0)["message"]["content"][0]["text"], "Read @/etc/hostname now.");
}

TEST_F(CodebuddyLoss, ACommandThatTheCliWouldReplaceIsRefusedUnlessAllowed) {
  for (const char* prompt : {"/init", "/compact please", "  /clear"}) {
    SCOPED_TRACE(prompt);
    expect_refused(agent(), prompt, {}, "slash_command");
  }
  agent({{"allow_slash_commands", true}}).run("/init");
  agent().run("/usr/bin is a directory");
  EXPECT_EQ(turns().size(), 2u);
}

TEST_F(CodebuddyLoss, AnInputThatHasToBeShownExactIsRefused) {
  expect_refused(agent(), "look", {picture(), picture().fidelity(input::Fidelity::exact)}, "exact_impossible");
}

TEST_F(CodebuddyLoss, ATurnOverTheLineLimitIsRefused) {
  // Quotes take two bytes in the line, and four in the post that the CLI makes of it.
  expect_refused(agent(), std::string(4'000'000, '"'), {}, "request_size_limit");
  agent().run(std::string(9'000'000, 'a'));
  EXPECT_TRUE(sent());
}

TEST_F(CodebuddyLoss, ReceiptsSayUnknownAndTheReferencedFileIsThere) {
  const Result result = agent().run("look", with_inputs(picture(), table()));
  ASSERT_EQ(result.receipts.size(), 2u);
  for (const Receipt& one : result.receipts) EXPECT_EQ(one.outcome, Receipt::Outcome::unknown);
  EXPECT_EQ(read_file(root_ / "record/read"), "a,b\n1,2\n");
  const auto content = turns().at(0)["message"]["content"];
  ASSERT_EQ(content.size(), 3u);
  EXPECT_EQ(content[0]["text"], "look");
  const std::string data = content[1]["source"]["data"];
  EXPECT_EQ(digest_of(decode_base64(data)), digest_of(png_that_claims(16, 16)));
  EXPECT_EQ(content[1]["source"]["media_type"], "image/png");
  EXPECT_EQ(content[2]["text"].get<std::string>().rfind("[attache input 2: file text/csv /", 0), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(root_ / "runs"));
}

}  // namespace
}  // namespace attache::testing
