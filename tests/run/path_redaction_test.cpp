// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "redact/path_forms.hpp"
#include "redact/redactor.hpp"

namespace attache::redact {
namespace {

const std::string directory = "/run/user/7/attache/run-4f9a0c21d7";
const std::string file = directory + "/input-1.png";

Guard guard() {
  return {directory, "/home/u/project", {{"input-1", file, {"/home/u/secret/plan.png"}}}};
}

std::string in_pieces(Redactor& redactor, Redactor::Channel channel, std::string_view text, std::size_t cut) {
  std::string out = redactor.push(channel, text.substr(0, cut));
  out += redactor.push(channel, text.substr(cut));
  return out + redactor.flush(channel);
}

TEST(PathRedaction, EverySpellingBecomesTheInputsName) {
  const std::string escaped = "\\/run\\/user\\/7\\/attache\\/run-4f9a0c21d7\\/input-1.png";
  for (const std::string& spelling :
       {file, "file://" + file, "file://localhost" + file, escaped, "file:\\/\\/" + escaped,
        std::string("../run-4f9a0c21d7/input-1.png").substr(3)}) {
    const Redactor redactor(guard());
    EXPECT_EQ(redactor.answer("see \"" + spelling + "\"."), "see \"attache-input://input-1\".") << spelling;
  }
}

TEST(PathRedaction, ADirectoryBelowTheWorkspaceIsFoundRelativeToIt) {
  Guard below = guard();
  below.directory = "/home/u/project/.attache/c0ffee00c0ffee";
  below.inputs[0].local_path = below.directory + "/input-1.png";
  const Redactor redactor(below);
  EXPECT_EQ(redactor.answer("open .attache/c0ffee00c0ffee/input-1.png"), "open attache-input://input-1");
  EXPECT_EQ(redactor.answer("open ./.attache/c0ffee00c0ffee/input-1.png"), "open attache-input://input-1");
  EXPECT_EQ(redactor.answer("ls .attache/c0ffee00c0ffee"), "ls attache-input://run");
}

TEST(PathRedaction, OtherThingsInTheDirectoryAndTheBase) {
  Redactor redactor(guard());
  EXPECT_EQ(redactor.answer("cd " + directory + "; ls"), "cd attache-input://run; ls");
  EXPECT_EQ(redactor.answer(directory + "/other"), "attache-input://run/other");
  EXPECT_EQ(redactor.guarded("no entry in /run/user/7/attache"), "no entry in attache-input://base");
  EXPECT_EQ(redactor.answer("in /run/user/7/attache"), "in /run/user/7/attache");
}

TEST(PathRedaction, ABaseThatHoldsTheWorkspaceIsNotHidden) {
  Guard shared = guard();
  shared.directory = "/home/u/run-4f9a0c21d7";
  shared.inputs[0].local_path = shared.directory + "/input-1.png";
  Redactor redactor(shared);
  EXPECT_EQ(redactor.guarded("error in /home/u/project/a.c"), "error in /home/u/project/a.c");
}

TEST(PathRedaction, SourcePathsOnlyOutsideTheAnswer) {
  Redactor redactor(guard());
  EXPECT_EQ(redactor.guarded("cannot read /home/u/secret/plan.png"), "cannot read attache-input://input-1");
  EXPECT_EQ(redactor.answer("It is /home/u/secret/plan.png"), "It is /home/u/secret/plan.png");
}

TEST(PathRedaction, R_K2_APathSplitAtAnyByteIsFound) {
  const std::string text = "The image at file://" + file + " shows /run/time and /run/user/7/attache/run-4f9a0c21d8.";
  const std::string expected =
      "The image at attache-input://input-1 shows /run/time and /run/user/7/attache/run-4f9a0c21d8.";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Redactor redactor(guard());
    ASSERT_EQ(in_pieces(redactor, Redactor::Channel::answer, text, cut), expected) << cut;
    ASSERT_EQ(in_pieces(redactor, Redactor::Channel::reasoning, text, cut), expected) << cut;
  }
}

TEST(PathRedaction, OneByteAtATime) {
  const std::string text = "a" + file + file + "b\\/run\\/user\\/7\\/attache\\/run-4f9a0c21d7\\/input-1.pn";
  Redactor redactor(guard());
  std::string out;
  for (const char c : text) out += redactor.push(Redactor::Channel::err, std::string_view(&c, 1));
  out += redactor.flush(Redactor::Channel::err);
  EXPECT_EQ(out, "aattache-input://input-1attache-input://input-1battache-input://run\\/input-1.pn");
}

TEST(PathRedaction, HoldsBackOnlyThePossibleBeginningOfAPath) {
  Redactor redactor(guard());
  EXPECT_EQ(redactor.push(Redactor::Channel::answer, "one and/or two /run/us"), "one and/or two ");
  EXPECT_EQ(redactor.push(Redactor::Channel::answer, "ual"), "/run/usual");
}

TEST(PathRedaction, ChannelsDoNotMix) {
  Redactor redactor(guard());
  EXPECT_EQ(redactor.push(Redactor::Channel::answer, "/run/user/7/attache/"), "");
  EXPECT_EQ(redactor.push(Redactor::Channel::reasoning, "run-x"), "run-x");
  EXPECT_EQ(redactor.push(Redactor::Channel::answer, "run-4f9a0c21d7/input-1.png"), "attache-input://input-1");
  EXPECT_EQ(redactor.flush(Redactor::Channel::answer), "");
}

TEST(PathRedaction, WithoutInputsNothingChanges) {
  Redactor redactor(Guard{});
  const std::string text("any \0 /run/user/7/attache/run-4f9a0c21d7 text", 46);
  EXPECT_EQ(redactor.push(Redactor::Channel::out, text), text);
  EXPECT_EQ(redactor.guarded(text), text);
  EXPECT_EQ(redactor.answer(text), text);
}

TEST(PathForms, CoverPercentAndUnicodeEscapes) {
  const std::vector<std::string> forms = path_forms("/tmp/Bücher \"1\"");
  for (const char* form : {"/tmp/B%C3%BCcher%20%221%22", "file:///tmp/B%C3%BCcher%20%221%22",
                           "/tmp/B\\u00fccher \\\"1\\\"", "\\/tmp\\/B\\u00fccher \\\"1\\\"", "/tmp/Bücher \\\"1\\\""}) {
    EXPECT_NE(std::find(forms.begin(), forms.end(), form), forms.end()) << form;
  }
}

}  // namespace
}  // namespace attache::redact
