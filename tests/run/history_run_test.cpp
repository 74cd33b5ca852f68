// SPDX-License-Identifier: Apache-2.0
// Histories and output schemas of one call.
#include <cstring>

#include <gmock/gmock.h>

#include <attache/sdk/sha256.hpp>

#include "thread_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::text_input;
using test::ThreadTest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

input::Digest digest_of(std::string_view text) {
  sdk::Sha256 hash;
  hash.update(text);
  return hash.finish();
}

Part inline_text(std::string_view text) {
  Part part;
  part.kind = input::Kind::file;
  part.media_type = "text/plain";
  part.data = bytes_of(text);
  return part;
}

Part reference_to(std::string_view text) {
  Part part;
  part.kind = input::Kind::file;
  part.media_type = "text/plain";
  part.reference = ContentReference{digest_of(text), text.size()};
  return part;
}

Part url_part(std::string url) {
  Part part;
  part.kind = input::Kind::file;
  part.media_type = "text/plain";
  part.url = std::move(url);
  return part;
}

Message message(Role role, std::string text, std::vector<Part> parts = {}) {
  Message out;
  out.role = role;
  out.text = std::move(text);
  out.parts = std::move(parts);
  return out;
}

class FixedReader final : public input::Reader {
 public:
  explicit FixedReader(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    std::memcpy(buffer.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

PartResolver resolves_to(std::string text) {
  return [text](const ContentReference&, std::stop_token) { return std::make_unique<FixedReader>(text); };
}

struct SeenMessage {
  std::uint32_t role;
  std::string text;
  std::vector<std::string> parts;  ///< content, or URL
};

class HistoryRunTest : public RunTest {
 protected:
  HistoryRunTest() {
    driver.describe(R"("receipts": true)",
                    R"("receipts": true, "history": true, "structured_output": true, "url_schemes": ["https"])");
    driver.describe(R"("file": {"modes": [)",
                    R"("file": {"modes": [{"mode": "provider_url", "media_types": ["text/plain"]}, )");
    driver.run = [this](const attache_request& request, const Calls& calls) {
      seen.clear();
      for (std::uint64_t i = 0; i < request.history_count; ++i) {
        const attache_message& given = *request.history[i];
        SeenMessage& now = seen.emplace_back();
        now.role = given.role;
        now.text = test::view(given.text);
        for (std::uint64_t j = 0; j < given.part_count; ++j) {
          const attache_part& part = *given.parts[j];
          const std::string path(test::view(part.local_path));
          paths.push_back(path);
          now.parts.push_back(path.empty() ? std::string(test::view(part.url)) : test::read_file(path));
          if (!path.empty()) {
            EXPECT_EQ(std::memcmp(part.sha256, digest_of(now.parts.back()).data(), 32), 0);
            EXPECT_EQ(part.size, now.parts.back().size());
          }
          EXPECT_EQ(part.struct_size, sizeof part);
        }
      }
      schema = test::view(request.output_schema);
      return calls.answer("answer");
    };
  }
  AgentOptions with_urls() const {
    AgentOptions out = options();
    out.allow_provider_urls = true;
    return out;
  }
  InputError refused(Agent& agent, const RunOption& history) {
    try {
      agent.run("prompt", history);
    } catch (const InputError& error) {
      EXPECT_EQ(driver.entered, 0);
      EXPECT_EQ(scratch.run_directories(), 0U);
      return error;
    }
    ADD_FAILURE() << "no InputError";
    return InputError(errc::internal, "none", "none", {});
  }

  std::vector<SeenMessage> seen;
  std::vector<std::string> paths;
  std::string schema;
};

TEST_F(HistoryRunTest, EveryFormOfAPartReachesTheDriver) {
  Agent agent(driver.driver(), with_urls());
  const std::vector<Message> history{
      message(Role::system, "be brief"),
      message(Role::user, "one", {inline_text("inline content"), reference_to("kept content")}),
      message(Role::assistant, "ok"), message(Role::user, "two", {url_part("https://example.com/a.txt")})};
  const Result result =
      agent.run("three", with_history(history, resolves_to("kept content")), with_inputs(text_input("new content")));
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].role, ATTACHE_ROLE_SYSTEM);
  EXPECT_EQ(seen[1].text, "one");
  EXPECT_THAT(seen[1].parts, ElementsAre("inline content", "kept content"));
  EXPECT_EQ(seen[2].role, ATTACHE_ROLE_ASSISTANT);
  EXPECT_THAT(seen[3].parts, ElementsAre("https://example.com/a.txt"));
  EXPECT_EQ(scratch.run_directories(), 0U);

  ASSERT_EQ(result.messages.size(), 6U);
  EXPECT_EQ(result.messages[1].parts[0].reference->sha256, digest_of("inline content"));
  EXPECT_FALSE(result.messages[1].parts[0].data.has_value());
  EXPECT_EQ(result.messages[1].parts[1].reference->size, 12U);
  EXPECT_EQ(result.messages[3].parts[0].url, "https://example.com/a.txt");
  EXPECT_EQ(result.messages[4].text, "three");
  EXPECT_EQ(result.messages[4].parts[0].reference->sha256, digest_of("new content"));
  EXPECT_EQ(result.messages[5].role, Role::assistant);
  EXPECT_EQ(result.messages[5].text, "answer");
  EXPECT_THAT(to_json(result.messages), Not(HasSubstr("\"data\"")));
}

TEST_F(HistoryRunTest, TheMessagesOfOneTurnAreTheHistoryOfTheNext) {
  Agent agent = RunTest::agent();
  const Result first = agent.run("one", with_history({}), with_inputs(text_input("content")));
  ASSERT_EQ(first.messages.size(), 2U);
  const Result second = agent.run("two", with_history(first.messages, resolves_to("content")));
  EXPECT_THAT(seen.at(0).parts, ElementsAre("content"));
  EXPECT_EQ(second.messages.size(), 4U);
  EXPECT_TRUE(agent.run("alone").messages.empty());
}

TEST_F(HistoryRunTest, R_E8_PartsOutsideOfUserMessagesAreRefused) {
  Agent agent = RunTest::agent();
  const InputError error = refused(
      agent, with_history({message(Role::user, "one"), message(Role::tool, "result", {inline_text("picture")})}));
  EXPECT_EQ(error.code(), errc::input_invalid);
  EXPECT_EQ(error.reason(), "parts_not_on_user");
  EXPECT_THAT(error.what(), HasSubstr("message 2"));
}

TEST_F(HistoryRunTest, FaultsNameTheMessageAndThePart) {
  Agent agent = RunTest::agent();
  const auto with = [](Part part, PartResolver resolver = {}) {
    return with_history(
        {message(Role::user, "one"), message(Role::user, "two", {inline_text("fine"), std::move(part)})},
        std::move(resolver));
  };
  const InputError unresolved = refused(agent, with(reference_to("x")));
  EXPECT_EQ(unresolved.reason(), "reference_unresolved");
  EXPECT_THAT(unresolved.what(), HasSubstr("message 2, part 2"));
  const InputError gone =
      refused(agent, with(reference_to("x"), [](const ContentReference&, std::stop_token) { return nullptr; }));
  EXPECT_EQ(gone.reason(), "open_failed");
  EXPECT_THAT(gone.what(), HasSubstr("message 2, part 2"));
  EXPECT_FALSE(gone.index().has_value());
  const InputError other = refused(agent, with(reference_to("x"), resolves_to("y")));
  EXPECT_EQ(other.code(), errc::input_digest_mismatch);
  EXPECT_EQ(refused(agent, with(url_part("https://example.com/"))).reason(), "urls_not_allowed");
}

TEST_F(HistoryRunTest, ItsLimitsAreItsOwn) {
  AgentOptions with = options();
  with.limits.max_count = 1;
  with.history_limits.max_input_bytes = 8;
  Agent agent(driver.driver(), with);
  const InputError large = refused(agent, with_history({message(Role::user, "one", {inline_text("123456789")})}));
  EXPECT_EQ(large.code(), errc::input_too_large);
  EXPECT_EQ(large.limit(), 8U);
  agent.run("two", with_history({message(Role::user, "one", {inline_text("1"), inline_text("2")})}),
            with_inputs(text_input("longer than eight")));
}

TEST_F(HistoryRunTest, TheProvidersTotalCountsAllOfTheRequest) {
  driver.describe(R"("features")", R"("limits": {"max_total_encoded_bytes": 30}, "features")");
  Agent agent = RunTest::agent();
  agent.run("five!", with_history({message(Role::user, "0123456789")}), with_inputs(text_input("0123456789")));
  driver.entered = 0;
  try {
    agent.run("five!", with_history({message(Role::user, "0123456789", {inline_text("123456")})}),
              with_inputs(text_input("0123456789")));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.reason(), "total_encoded_limit");
  }
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(HistoryRunTest, PathsAndUrlsOfPartsAreNotShown) {
  driver.run = [](const attache_request& request, const Calls& calls) {
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    const attache_message& first = *request.history[0];
    calls.text(test::view(first.parts[0]->local_path));
    calls.raw(test::view(first.parts[1]->url));
    calls.raw(test::view(request.inputs[0]->url));
    calls.raw("\n");
    calls.completed(test::view(first.parts[0]->local_path));
    return ATTACHE_OK;
  };
  Agent agent(driver.driver(), with_urls());
  Stream stream = agent.stream(
      "two",
      with_history({message(Role::user, "one", {inline_text("inline"), url_part("https://a.example/?sig=secret")})}),
      with_inputs(input::from_url(input::Kind::file, "https://b.example/?sig=secret").media_type("text/plain")));
  std::string raw;
  for (const Event& event : test::drain(stream)) {
    if (const auto* chunk = std::get_if<RawChunk>(&event.body)) raw += chunk->bytes;
  }
  EXPECT_EQ(raw, "attache-input://history-2attache-input://input-1\n");
  EXPECT_EQ(stream.result().text, "attache-input://history-1");
  // The conversation is the host's own: it has its URLs.
  EXPECT_EQ(stream.result().messages[1].parts[0].url, "https://b.example/?sig=secret");
}

TEST_F(HistoryRunTest, AUrlReachesTheDriverAndMakesNoDirectory) {
  std::string url, path = "unset";
  driver.run = [&](const attache_request& request, const Calls& calls) {
    url = test::view(request.inputs[0]->url);
    path = test::view(request.inputs[0]->local_path);
    return calls.answer("answer");
  };
  AgentOptions with = with_urls();
  with.provider_url_hosts = {"example.com"};
  with.run_base = scratch.path() / "not made";
  Agent agent(driver.driver(), with);
  const auto of = [](const char* where) {
    return with_inputs(input::from_url(input::Kind::file, where).media_type("text/plain"));
  };
  agent.run("read", of("https://example.com/a"));
  EXPECT_EQ(url, "https://example.com/a");
  EXPECT_EQ(path, "");
  EXPECT_FALSE(std::filesystem::exists(with.run_base));
  EXPECT_THROW(agent.run("read", of("https://other.example/a")), InputError);
}

TEST_F(HistoryRunTest, ASchemaReachesTheDriver) {
  Agent agent = RunTest::agent();
  agent.run("one", with_output_schema(R"({"type": "object"})"));
  EXPECT_EQ(schema, R"({"type": "object"})");
  agent.run("two");
  EXPECT_EQ(schema, "");
  for (const std::string wrong : {"", "[]", "true", "{", "{\"a\": \"\xff\"}"}) {
    EXPECT_EQ(early_error([&] { agent.run("three", with_output_schema(wrong)); }).reason(), "output_schema_invalid");
  }
  EXPECT_EQ(driver.entered, 2);
}

TEST_F(HistoryRunTest, WhatADriverDoesNotDeclareIsRefused) {
  driver.describe(R"("history": true, "structured_output": true, )", "");
  Agent agent = RunTest::agent();
  const Error history = early_error([&] { agent.run("one", with_history({})); });
  EXPECT_EQ(history.code(), errc::option_unsupported);
  EXPECT_EQ(history.reason(), "history");
  const Error output = early_error([&] { agent.run("one", with_output_schema("{}")); });
  EXPECT_EQ(output.code(), errc::option_unsupported);
  EXPECT_EQ(output.reason(), "structured_output");
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(ThreadTest, AHistoryMayBeginAThreadButNotResumeOne) {
  driver.describe(R"("receipts": true)", R"("receipts": true, "history": true)");
  Agent agent = thread_agent();
  Thread thread = agent.thread("key");
  EXPECT_EQ(thread.run("one", with_history({message(Role::user, "zero")})).messages.size(), 3U);
  const Error error = early_error([&] { thread.run("two", with_history({})); });
  EXPECT_EQ(error.code(), errc::option_unsupported);
  EXPECT_EQ(error.reason(), "history_on_resume");
  EXPECT_TRUE(is_free());
  EXPECT_EQ(driver.entered, 1);
}

}  // namespace
}  // namespace attache
