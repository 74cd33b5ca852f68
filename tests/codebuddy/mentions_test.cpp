// SPDX-License-Identifier: Apache-2.0
#include "mentions.hpp"

#include <gtest/gtest.h>

namespace attache::codebuddy {
namespace {

TEST(Mentions, FindsWhatExists) {
  for (const char* text :
       {"@/etc/passwd", "a @/etc/passwd, and", "(@/etc/passwd)", "x@/etc/passwd", "@@/etc/passwd", "@/etc/passwd#L1-3",
        "@passwd", "@passwd.", "@../etc/passwd", "@\"/etc/passwd\"", "@'passwd'", "@/etc\\/passwd", "@~/passwd",
        "@/etc/passwd\xEF\xBC\x8C\xE5\x92\x8C", "@nobody @passwd", "\n@passwd\t", "@/etc", "@<passwd>", "@`passwd`"}) {
    EXPECT_TRUE(mentions_file(text, "/etc", "/etc")) << text;
  }
}

TEST(Mentions, LeavesOtherTextAlone) {
  for (const char* text : {"", "@", "@ /etc/passwd", "mail me@example.invalid", "@nobody-of-this-name", "/etc/passwd",
                           "@passwdx", "@/etc/passwd-of-nobody"}) {
    EXPECT_FALSE(mentions_file(text, "/etc", "/home-of-nobody")) << text;
  }
}

TEST(Mentions, KnowsCommands) {
  for (const char* text : {"/init", "/init now", " \n/compact", "/x:y", "/clear\n"}) {
    EXPECT_TRUE(begins_with_command(text)) << text;
  }
  for (const char* text : {"", "/", "/ init", "/usr/bin", "say /init", "//"}) {
    EXPECT_FALSE(begins_with_command(text)) << text;
  }
}

}  // namespace
}  // namespace attache::codebuddy
