// SPDX-License-Identifier: Apache-2.0
// Secrets of the configuration and of the environment, whatever a driver says of them.
#include <cstdlib>

#include <attache/sdk/base64.hpp>

#include "redact/redactor.hpp"
#include "redact/secrets.hpp"
#include "run_fixture.hpp"

namespace attache {
namespace {

using redact::Guard;
using redact::Redactor;
using test::Calls;
using test::RunTest;
using test::span;

constexpr const char* kSecret = "sk-test/5f\"0c+9a1";

class SecretTest : public RunTest {
 protected:
  void SetUp() override {
    driver.describe(R"("token": {"type": "string"})", R"("token": {"type": "string", "secret": true})");
  }
  Agent agent_with_secret() {
    AgentOptions with = options();
    with.config = R"({"executable": "program-name", "token": "sk-test/5f\"0c+9a1"})";
    return Agent(driver.driver(), with);
  }
};

TEST_F(SecretTest, IsInNoEventResultOrError) {
  driver.run = [](const attache_request&, const Calls& calls) {
    const std::string secret = kSecret;
    const std::string json = "{\"authorization\":\"Bearer sk-test\\/5f\\\"0c+9a1\",\"program\":\"program-name\"}";
    attache_event started = test::event(ATTACHE_EVENT_STARTED);
    started.text = span(secret);
    calls.emit(started);
    calls.delivery(ATTACHE_DELIVERED);
    for (const char c : secret) calls.text(std::string_view(&c, 1));
    calls.raw("key " + secret.substr(0, 5));
    calls.raw(secret.substr(5) + "\n" + json);
    calls.notice("told", "with " + secret);
    attache_event call = test::event(ATTACHE_EVENT_TOOL_CALL);
    call.json = span(json);
    calls.emit(call);
    attache_event result = test::event(ATTACHE_EVENT_TOOL_RESULT);
    result.text = span(secret);
    calls.emit(result);
    for (const std::uint32_t type : {ATTACHE_EVENT_TRANSCRIPT, ATTACHE_EVENT_USAGE}) {
      attache_event item = test::event(type);
      item.json = span(json);
      calls.emit(item);
    }
    calls.error(ATTACHE_PROVIDER_FAILED, "failed", "not accepted: " + secret);
    calls.completed("It is " + secret, ATTACHE_PROVIDER_FAILED);
    return ATTACHE_PROVIDER_FAILED;
  };
  Agent to = agent_with_secret();
  Stream stream = to.stream("say it");
  std::string all;
  std::size_t seen = 0;
  for (const Event& event : test::drain(stream)) {
    const std::size_t before = all.size();
    if (const auto* body = std::get_if<Started>(&event.body)) all += body->model;
    if (const auto* body = std::get_if<TextDelta>(&event.body)) all += body->text;
    if (const auto* body = std::get_if<RawChunk>(&event.body)) all += body->bytes;
    if (const auto* body = std::get_if<Notice>(&event.body)) all += body->text;
    if (const auto* body = std::get_if<ToolCall>(&event.body)) all += body->arguments_json;
    if (const auto* body = std::get_if<ToolResult>(&event.body)) all += body->text;
    if (const auto* body = std::get_if<TranscriptItem>(&event.body)) all += body->json;
    if (const auto* body = std::get_if<Usage>(&event.body)) all += body->json;
    if (const auto* body = std::get_if<Completed>(&event.body)) all += body->text;
    seen += all.size() > before ? 1 : 0;
  }
  EXPECT_GE(seen, 9U);
  EXPECT_EQ(all.find("5f"), std::string::npos) << all;
  EXPECT_EQ(all.find("9a1"), std::string::npos) << all;
  EXPECT_NE(all.find("program-name"), std::string::npos) << "only what the schema calls secret goes";
  try {
    stream.result();
    ADD_FAILURE();
  } catch (const RunError& error) {
    EXPECT_EQ(std::string(error.what()).find("5f"), std::string::npos) << error.what();
    EXPECT_EQ(error.result().text, "It is [secret]");
  }
}

TEST_F(SecretTest, IsInNoCheckpointAndNoInspection) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.checkpoint(R"({"session":"s-1","key":"sk-test/5f\"0c+9a1"})");
    return calls.answer("done");
  };
  driver.inspect = [](attache_sink sink) {
    return test::FakeDriver::put(sink, R"({"account":"sk-test/5f\"0c+9a1","version":"1.2.3"})");
  };
  Agent to = agent_with_secret();
  EXPECT_EQ(to.run("say it").checkpoint_json, R"({"session":"s-1","key":"[secret]"})");
  EXPECT_EQ(to.inspect(), R"({"account":"[secret]","version":"1.2.3"})");
}

TEST_F(SecretTest, ACredentialOfTheEnvironmentToo) {
  driver.describe(R"("max_parallel_runs")", R"("environment": ["FAKE_API_KEY", "FAKE_HOME"], "max_parallel_runs")");
  ASSERT_EQ(::setenv("FAKE_API_KEY", "from-the-environment", 1), 0);
  ASSERT_EQ(::setenv("FAKE_HOME", "place-of-no-secret", 1), 0);
  driver.run = [](const attache_request&, const Calls& calls) {
    return calls.answer("from-the-environment, place-of-no-secret");
  };
  EXPECT_EQ(agent().run("say it").text, "[secret], place-of-no-secret");
  ::unsetenv("FAKE_API_KEY");
  ::unsetenv("FAKE_HOME");
}

TEST(Secrets, AreFoundAtAnyDepthAndNotWhenShort) {
  Descriptor descriptor;
  descriptor.config_schema = R"({"type": "object", "properties": {
    "plain": {"type": "string"}, "short": {"type": "string", "secret": true},
    "headers": {"type": "object", "secret": true},
    "accounts": {"type": "array", "items": {"type": "object", "properties": {"key": {"type": "string", "secret": true}}}}}})";
  const std::vector<std::string> found = redact::config_secrets(descriptor, R"({
    "plain": "nothing-secret", "short": "1234567", "headers": {"x": ["header-value"]},
    "accounts": [{"key": "first-account"}, {"key": "second-account"}]})");
  EXPECT_EQ(found, (std::vector<std::string>{"first-account", "second-account", "header-value"}));
}

TEST(Secrets, InBase64AtEveryPlace) {
  Guard guard;
  guard.secrets = {"a-secret-of-some-length"};
  Redactor redactor(guard);
  for (std::size_t before = 0; before < 6; ++before) {
    const std::string encoded = sdk::base64_encode(std::string(before, 'u') + guard.secrets[0] + "tail");
    const std::string shown = redactor.answer(encoded);
    EXPECT_NE(shown.find("[secret]"), std::string::npos) << before;
    const std::string inner = sdk::base64_encode(std::string(before, 'u') + guard.secrets[0]).substr(8, 16);
    EXPECT_EQ(shown.find(inner), std::string::npos) << before;
  }
  EXPECT_EQ(redactor.answer(sdk::base64_encode("something else of some length")),
            sdk::base64_encode("something else of some length"));
}

TEST(Secrets, SplitAtEveryPlaceOfAStream) {
  Guard guard;
  guard.secrets = {"a-secret-of-some-length"};
  const std::string text = "before a-secret-of-some-length after";
  for (std::size_t at = 0; at <= text.size(); ++at) {
    for (const auto channel : {Redactor::Channel::answer, Redactor::Channel::err}) {
      Redactor redactor(guard);
      std::string shown = redactor.push(channel, std::string_view(text).substr(0, at));
      shown += redactor.push(channel, std::string_view(text).substr(at));
      shown += redactor.flush(channel);
      EXPECT_EQ(shown, "before [secret] after") << at;
    }
  }
}

}  // namespace
}  // namespace attache
