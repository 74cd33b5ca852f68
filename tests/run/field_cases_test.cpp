// SPDX-License-Identifier: Apache-2.0
// Field cases in which core has a part beside that of the drivers.
#include <gmock/gmock.h>

#include "run_fixture.hpp"

namespace attache {
namespace {

using input::Kind;
using test::Calls;
using test::FakeDriver;
using test::RunTest;
using test::text_input;
using testing::StartsWith;

input::Input input_of(Kind kind, std::string type, std::string_view content) {
  return input::from_bytes(kind, std::move(type), std::as_bytes(std::span(content)));
}

/// A PDF of empty pages, with a right table of references.
std::string pdf_of(int pages) {
  std::string text = "%PDF-1.4\n", kids, table;
  std::vector<std::size_t> places;
  const auto object = [&](const std::string& content) {
    places.push_back(text.size());
    text += std::to_string(places.size()) + " 0 obj\n" + content + "\nendobj\n";
  };
  for (int i = 0; i < pages; ++i) kids += std::to_string(i + 3) + " 0 R ";
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object("<< /Type /Pages /Count " + std::to_string(pages) + " /Kids [ " + kids + "] >>");
  for (int i = 0; i < pages; ++i) object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>");
  for (const std::size_t place : places) {
    const std::string number = std::to_string(place);
    table += std::string(10 - number.size(), '0') + number + " 00000 n \n";
  }
  const std::string count = std::to_string(places.size() + 1);
  return text + "xref\n0 " + count + "\n0000000000 65535 f \n" + table + "trailer\n<< /Size " + count +
         " /Root 1 0 R >>\nstartxref\n" + std::to_string(text.size()) + "\n%%EOF\n";
}

/// The smallest file with the signature and the header of a PNG; `mark` makes it differ from others.
std::string png_of(std::string_view mark) {
  const std::string_view head("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0", 29);
  return std::string(head) + std::string(mark);
}

class FieldCases : public RunTest {
 protected:
  /// Refuses what has inputs, once it was delivered to this extent.
  void refuses_inputs(attache_delivery state, std::uint32_t code, std::string text) {
    driver.run = [=, this](const attache_request& request, const Calls& calls) {
      inputs_seen = request.input_count;
      if (request.input_count == 0) return calls.answer("answer");
      calls.started();
      calls.delivery(state);
      attache_error error{};
      error.struct_size = sizeof error;
      error.status = ATTACHE_PROVIDER_REFUSED;
      error.provider_code = code;
      error.input_index = -1;
      error.reason = test::span("refused");
      error.text = test::span(text);
      FakeDriver::host().set_error(calls.handle(), &error);
      calls.completed("", ATTACHE_PROVIDER_REFUSED);
      return ATTACHE_PROVIDER_REFUSED;
    };
  }
  void inspection_of_images(const std::string& modes) {
    driver.describe(R"("media_types": ["image/png", "image/jpeg"])",
                    R"("needs_inspection": true, "media_types": ["image/png", "image/jpeg"])");
    driver.inspect = [modes](attache_sink sink) {
      return FakeDriver::put(sink,
                             R"({"inputs": {"image": {"modes": [)" + modes +
                                 R"(]}, "file": {"modes": []}, "audio": {"modes": []}, "video": {"modes": []}}})");
    };
  }
  std::uint64_t inputs_seen = 0;
  const std::string picture = png_of("picture");
};

TEST_F(FieldCases, R_C6_PagesAreNotCountedAndARefusalIsForOneRunOnly) {
  driver.describe(R"("media_types": ["text/plain"])", R"("media_types": ["text/plain", "application/pdf"])");
  refuses_inputs(ATTACHE_DELIVERED, 400, "at most 100 pages");
  Agent to = agent();
  const std::string many = pdf_of(101);
  EXPECT_TRUE(to.plan(with_inputs(input_of(Kind::file, "application/pdf", many))).ok());
  const RunError error = run_error(to, with_inputs(input_of(Kind::file, "application/pdf", many)));
  EXPECT_EQ(error.code(), errc::provider_refused);
  EXPECT_EQ(error.provider_code, 400U);
  EXPECT_EQ(inputs_seen, 1U);
  EXPECT_EQ(driver.entered, 1);
  EXPECT_EQ(to.run("text alone").text, "answer");
  EXPECT_EQ(inputs_seen, 0U);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(FieldCases, R_D2_APermanentRefusalIsMadeOnce) {
  for (const attache_delivery state : {ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}) {
    for (const std::uint32_t code : {400U, 413U, 415U, 422U}) {
      refuses_inputs(state, code, "the image cannot be processed");
      driver.entered = 0;
      Agent to = agent();
      const RunError error = run_error(to, with_inputs(input_of(Kind::image, "image/png", picture)));
      EXPECT_EQ(driver.entered, 1) << state << " " << code;
      EXPECT_EQ(error.code(), errc::provider_refused);
      EXPECT_EQ(error.provider_code, code);
      EXPECT_EQ(retry_safe(error), state == ATTACHE_NOT_DELIVERED);
      EXPECT_EQ(to.run("text alone").text, "answer");
      EXPECT_EQ(driver.entered, 2) << "the next turn is its own";
    }
  }
}

TEST_F(FieldCases, R_D4_ARefusalIsToldAsItIsAndNotExplained) {
  const std::string words = "the request is too large: shorten the conversation or the image ";
  refuses_inputs(ATTACHE_DELIVERED, 400, words + "\n\x1b[2J\xff" + std::string(5000, 'x'));
  Agent to = agent();
  const RunError error = run_error(to, with_inputs(input_of(Kind::image, "image/png", picture)));
  EXPECT_EQ(error.code(), errc::provider_refused) << "and not input_too_large: nobody knows";
  EXPECT_EQ(error.reason(), "refused");
  EXPECT_EQ(error.provider_code, 400U);
  EXPECT_FALSE(error.input().has_value());
  EXPECT_THAT(error.what(), StartsWith(words + "??[2J?xxx"));
  EXPECT_LE(std::string_view(error.what()).size(), 1024U);
}

TEST_F(FieldCases, R_D4_R_K2_APathAtTheEndOfALongRefusalIsNotCutIntoView) {
  const std::filesystem::path source = scratch.write("private-source.txt", "some text");
  std::string words;
  driver.run = [&](const attache_request&, const Calls& calls) {
    calls.started();
    calls.notice("told", words);
    calls.error(ATTACHE_PROVIDER_REFUSED, "refused", words);
    calls.completed("", ATTACHE_PROVIDER_REFUSED);
    return ATTACHE_PROVIDER_REFUSED;
  };
  Agent to = agent();
  const std::string begin = source.string().substr(0, 12);
  // The bound of a text falls on each byte of the path in turn.
  for (std::size_t before = 1000 - source.string().size(); before <= 1023; ++before) {
    words = std::string(before, 'x') + " " + source.string() + " was not read";
    const RunError error = run_error(to, with_inputs(input::from_path(Kind::file, source)));
    const std::string shown = error.what(), notice = error.result().notices.at(0).text;
    for (const std::string& text : {shown, notice}) {
      ASSERT_LE(text.size(), 1024U);
      ASSERT_EQ(text.find(begin), std::string::npos) << text.substr(before);
      ASSERT_EQ(text.substr(before, 9),
                std::string(" attache-input://").substr(0, std::min<std::size_t>(9, 1024 - before)));
    }
  }
}

TEST_F(FieldCases, R_E7_AKindThatALiveInspectionTakesAwayIsRefusedBeforeTheRun) {
  driver.describe(R"("media_types": ["text/plain"])", R"("media_types": ["text/plain", "application/pdf"])");
  inspection_of_images(R"({"mode": "native", "media_types": ["image/png"], "encoding": "base64"})");
  Agent to = agent();
  to.inspect();
  const std::string document = pdf_of(1);
  try {
    to.run("read", with_inputs(input_of(Kind::file, "application/pdf", document)));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), errc::input_kind_unsupported);
    EXPECT_EQ(error.media_type(), "");
    EXPECT_EQ(error.index(), 0U);
  }
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(to.run("look", with_inputs(input_of(Kind::image, "image/png", picture))).text, "answer");
}

TEST_F(FieldCases, R_E9_APeerThatNeverOfferedImagesGetsNone) {
  inspection_of_images("");
  Agent to = agent();
  try {
    to.run("look", with_inputs(input_of(Kind::image, "image/png", picture)));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), errc::input_kind_unsupported);
  }
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(FieldCases, R_E9_APeerThatOffersImagesGetsThem) {
  inspection_of_images(R"({"mode": "native", "media_types": ["image/png"], "encoding": "base64"})");
  driver.run = [this](const attache_request& request, const Calls& calls) {
    EXPECT_EQ(test::read_file(std::string(test::view(request.inputs[0]->local_path))), picture);
    EXPECT_EQ(request.inputs[0]->mode, static_cast<std::uint32_t>(ATTACHE_MODE_NATIVE));
    return calls.answer("answer");
  };
  EXPECT_EQ(agent().run("look", with_inputs(input_of(Kind::image, "image/png", picture))).text, "answer");
}

TEST_F(FieldCases, R_L3_AnIdleLimitBringsNoLimitOfTheWhole) {
  std::uint64_t deadline = 1, idle = 0;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    deadline = request.deadline_ms;
    idle = request.idle_ms;
    return calls.answer("answer");
  };
  agent().run("prompt", with_idle_limit(std::chrono::seconds(5)));
  EXPECT_EQ(deadline, 0U);
  EXPECT_EQ(idle, 5000U);
}

TEST_F(FieldCases, R_M3_ThreePicturesKeepTheirOrderAndNames) {
  const std::vector<std::string> names{"left.png", "middle.png", "right.png"};
  std::vector<std::string> contents, seen_names, seen_contents, seen_ids;
  for (const std::string& name : names) contents.push_back(png_of(name));
  driver.run = [&](const attache_request& request, const Calls& calls) {
    EXPECT_EQ(test::view(request.prompt), "Which is the left one?");
    for (std::uint64_t i = 0; i < request.input_count; ++i) {
      const attache_input& one = *request.inputs[i];
      EXPECT_EQ(one.index, i);
      seen_ids.emplace_back(test::view(one.id));
      seen_names.emplace_back(test::view(one.name));
      seen_contents.push_back(test::read_file(std::string(test::view(one.local_path))));
    }
    return calls.answer("answer");
  };
  // Over two options, as order is that of the arguments.
  const auto picture_at = [&](std::size_t i) { return input_of(Kind::image, "image/png", contents[i]).name(names[i]); };
  const Result result =
      agent().run("Which is the left one?", with_inputs(picture_at(0)), with_inputs(picture_at(1), picture_at(2)));
  EXPECT_EQ(seen_names, names);
  EXPECT_EQ(seen_contents, contents);
  EXPECT_EQ(seen_ids, (std::vector<std::string>{"input-1", "input-2", "input-3"}));
  ASSERT_EQ(result.inputs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.inputs[i].id, seen_ids[i]);
}

}  // namespace
}  // namespace attache
