// SPDX-License-Identifier: Apache-2.0
#include "run_fixture.hpp"

namespace attache {
namespace {

using test::Calls;
using test::RunTest;
using test::span;
using test::text_input;
using test::view;

class AgentTest : public RunTest {};

TEST_F(AgentTest, ConstructionChecksAndCreatesButEntersNothing) {
  driver.create = [](std::string_view config, attache_sink) {
    EXPECT_EQ(config, R"({"executable":"x"})");
    return ATTACHE_OK;
  };
  AgentOptions with = options();
  with.config = R"({"executable":"x"})";
  {
    const Agent agent(driver.driver(), with);
    EXPECT_EQ(driver.created, 1);
    EXPECT_EQ(driver.destroyed, 0);
    EXPECT_EQ(agent.descriptor().id, "fake");
  }
  EXPECT_EQ(driver.destroyed, 1);
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(AgentTest, AConfigurationAgainstItsSchemaNamesThePlaceAndNoValue) {
  AgentOptions with = options();
  with.config = R"({"token":{"hidden":"s3cret-value"}})";
  const Error error = early_error([&] { Agent(driver.driver(), with); });
  EXPECT_EQ(error.code(), errc::config_invalid);
  EXPECT_NE(std::string(error.what()).find("/token"), std::string::npos);
  EXPECT_EQ(std::string(error.what()).find("s3cret"), std::string::npos);
  EXPECT_EQ(driver.created, 0);
}

TEST_F(AgentTest, AConfigurationTheDriverRefusesShowsNoValue) {
  driver.create = [](std::string_view, attache_sink sink) {
    attache_error error{};
    error.struct_size = sizeof error;
    error.status = ATTACHE_INVALID;
    error.reason = span("token_form");
    error.text = span("the token s3cret-value is too short");
    test::FakeDriver::host().fail(sink, &error);
    return ATTACHE_INVALID;
  };
  AgentOptions with = options();
  with.config = R"({"token":"s3cret-value"})";
  const Error error = early_error([&] { Agent(driver.driver(), with); });
  EXPECT_EQ(error.code(), errc::config_invalid);
  EXPECT_EQ(error.reason(), "token_form");
  EXPECT_EQ(std::string(error.what()).find("s3cret"), std::string::npos);
  EXPECT_EQ(driver.destroyed, 0);
}

TEST_F(AgentTest, AWorkspaceMustBeAnAbsoluteDirectory) {
  for (const std::filesystem::path& bad :
       {std::filesystem::path("relative"), scratch.path() / "missing", scratch.write("file", "x")}) {
    AgentOptions with = options();
    with.workspace = bad;
    const Error error = early_error([&] { Agent(driver.driver(), with); });
    EXPECT_EQ(error.code(), errc::config_invalid);
    EXPECT_EQ(error.reason(), "workspace_invalid");
  }
  AgentOptions with = options();
  with.workspace = scratch.path();
  std::string seen;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    seen = view(request.workspace);
    return calls.answer("");
  };
  Agent(driver.driver(), with).run("prompt");
  EXPECT_EQ(seen, scratch.path());
}

TEST_F(AgentTest, ForbiddenRetentionRefusesADriverThatRetains) {
  AgentOptions with = options();
  with.forbid_retention = true;
  std::uint32_t asked = 0;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    asked = request.forbid_retention;
    return calls.answer("");
  };
  Agent(driver.driver(), with).run("prompt");
  EXPECT_EQ(asked, 1U);
  driver.descriptor_json.insert(driver.descriptor_json.rfind("\"max_parallel_runs\""), "\"retains_inputs\": true, ");
  EXPECT_EQ(early_error([&] { Agent(driver.driver(), with); }).code(), errc::option_unsupported);
}

std::string narrowed(const std::string& image) {
  return R"({"inputs":{"image":{"modes":[)" + image +
         R"(]},"file":{"modes":[]},"audio":{"modes":[]},"video":{"modes":[]}}})";
}

TEST_F(AgentTest, CapabilitiesNarrowWhatTheAgentTakes) {
  driver.capabilities = [](attache_sink sink) {
    const std::string json = narrowed(R"({"mode":"native","media_types":["image/png"],"encoding":"base64"})");
    const attache_span document = span(json);
    return test::FakeDriver::host().put(sink, &document);
  };
  Agent agent(driver.driver(), options());
  EXPECT_TRUE(agent.capabilities().file.modes.empty());
  EXPECT_EQ(agent.capabilities().image.modes.at(0).media_types, std::vector<std::string>{"image/png"});
  const Error error = early_error([&] { agent.run("prompt", with_inputs(text_input("text"))); });
  EXPECT_EQ(error.code(), errc::input_kind_unsupported);
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(AgentTest, CapabilitiesThatWidenAreAContractFailure) {
  driver.capabilities = [](attache_sink sink) {
    const std::string json = narrowed(R"({"mode":"native","media_types":["image/gif"],"encoding":"base64"})");
    const attache_span document = span(json);
    return test::FakeDriver::host().put(sink, &document);
  };
  const Error widened = early_error([&] { Agent(driver.driver(), options()); });
  EXPECT_EQ(widened.code(), errc::driver_contract);
  EXPECT_EQ(widened.reason(), "capabilities_widened");
  EXPECT_EQ(driver.destroyed, 1);
  driver.capabilities = [](attache_sink) { return ATTACHE_OK; };
  EXPECT_EQ(early_error([&] { Agent(driver.driver(), options()); }).reason(), "capabilities_invalid");
}

TEST_F(AgentTest, ResultTellsWhatTheDriverSaid) {
  driver.run = [](const attache_request& request, const Calls& calls) {
    EXPECT_EQ(view(request.prompt), "What is it?");
    EXPECT_EQ(request.input_count, 0U);
    EXPECT_EQ(request.deadline_ms, 0U);
    calls.checkpoint(R"({"session":"s1"})");
    attache_event usage = test::event(ATTACHE_EVENT_USAGE);
    usage.json = span(R"({"input_tokens":3})");
    calls.started();
    calls.emit(usage);
    calls.delivery(ATTACHE_DELIVERED);
    calls.completed("A cat.");
    return ATTACHE_OK;
  };
  const Result result = agent().run("What is it?");
  EXPECT_EQ(result.text, "A cat.");
  EXPECT_EQ(result.provider, "fake 1.0");
  EXPECT_EQ(result.model, "model-1");
  EXPECT_EQ(result.usage_json, R"({"input_tokens":3})");
  EXPECT_EQ(result.checkpoint_json, R"({"session":"s1"})");
  EXPECT_EQ(result.delivery, Delivery::delivered);
  EXPECT_EQ(result.contract_violations, 0U);
  EXPECT_EQ(result.run_id.size(), 32U);
}

TEST_F(AgentTest, ARunThatFailsKeepsNoCheckpoint) {
  driver.run = [](const attache_request&, const Calls& calls) {
    calls.started();
    calls.checkpoint(R"({"session":"s1"})");
    calls.delivery(ATTACHE_DELIVERED);
    calls.error(ATTACHE_PROVIDER_FAILED, "died", "the provider died");
    calls.completed("partial", ATTACHE_PROVIDER_FAILED);
    return ATTACHE_PROVIDER_FAILED;
  };
  Agent to = agent();
  const RunError error = run_error(to);
  EXPECT_EQ(error.result().checkpoint_json, "");
  EXPECT_EQ(error.result().text, "partial");
}

TEST_F(AgentTest, TheRequestDescribesEachInput) {
  const std::string text = "some text";
  std::string path;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    EXPECT_EQ(request.input_count, 1U);
    const attache_input& input = *request.inputs[0];
    EXPECT_EQ(view(input.media_type), "text/plain");
    EXPECT_EQ(input.kind, ATTACHE_KIND_FILE);
    EXPECT_EQ(input.mode, ATTACHE_MODE_NATIVE);
    EXPECT_EQ(input.exact, 1U);
    EXPECT_EQ(input.size, text.size());
    path = view(input.local_path);
    EXPECT_EQ(test::read_file(path), text);
    EXPECT_EQ(scratch.run_directories(), 1U);
    calls.started();
    calls.delivery(ATTACHE_DELIVERED);
    calls.receipt(view(input.id), ATTACHE_RECEIPT_EXACT, input.sha256);
    calls.completed("");
    return ATTACHE_OK;
  };
  const Result result = agent().run("read", with_inputs(text_input(text).fidelity(input::Fidelity::exact)));
  EXPECT_EQ(result.inputs.at(0).size, text.size());
  EXPECT_EQ(result.receipts.at(0).outcome, Receipt::Outcome::exact);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(AgentTest, InputsOfSeveralOptionsAppendInOrder) {
  const std::vector<std::string> texts{"first text", "second text", "third text"};
  std::vector<std::string> seen;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    for (std::uint64_t i = 0; i < request.input_count; ++i) {
      seen.push_back(test::read_file(std::string(view(request.inputs[i]->local_path))));
      EXPECT_EQ(request.inputs[i]->index, i);
    }
    return calls.answer("");
  };
  agent().run("read", with_inputs(text_input(texts[0])), with_inputs(std::vector<input::Input>{}),
              with_inputs(text_input(texts[1]), text_input(texts[2])));
  EXPECT_EQ(seen, texts);
}

TEST_F(AgentTest, ATextOnlyRunMakesNoDirectory) {
  driver.run = [&](const attache_request&, const Calls& calls) {
    EXPECT_EQ(scratch.run_directories(), 0U);
    return calls.answer("");
  };
  agent().run("prompt");
  EXPECT_EQ(driver.entered, 1);
}

TEST_F(AgentTest, R_F10_APromptThatIsNoUtf8IsRefusedBeforeTheDriver) {
  Agent to = agent();
  for (const char* prompt : {"\xED\xA0\x80", "\xFF"}) {
    EXPECT_EQ(early_error([&] { to.run(prompt); }).code(), errc::input_invalid);
  }
  EXPECT_EQ(early_error([&] { to.run(""); }).code(), errc::input_invalid);
  EXPECT_EQ(driver.entered, 0);
}

TEST_F(AgentTest, APromptMayHoldANullByte) {
  std::string seen;
  driver.run = [&](const attache_request& request, const Calls& calls) {
    seen = view(request.prompt);
    return calls.answer("");
  };
  agent().run(std::string("a\0b", 3));
  EXPECT_EQ(seen, std::string("a\0b", 3));
}

TEST_F(AgentTest, ARefusedInputLeavesNothingAndEntersNothing) {
  Agent to = agent();
  const std::string text = "fine", none;
  try {
    to.run("read", with_inputs(text_input(text), text_input(none)));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_EQ(error.index(), 1U);
    EXPECT_TRUE(retry_safe(error));
  }
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(AgentTest, BeyondTheExactBoundsIsANoticeBeforeTheAnswer) {
  const std::string text = test::long_text(200000);
  Agent to = agent();
  test::FakeDriver& fake = driver;
  fake.run = [](const attache_request&, const Calls& calls) { return calls.answer("ok"); };
  Stream stream = to.stream("read", with_inputs(text_input(text)));
  const std::vector<Event> events = test::drain(stream);
  test::expect_framed(events);
  ASSERT_TRUE(std::holds_alternative<Notice>(events.at(1).body));
  EXPECT_EQ(std::get<Notice>(events[1].body).slug, "beyond_exact_bounds");
  EXPECT_EQ(stream.result().notices.at(0).input_id, "input-1");
  EXPECT_THROW(to.run("read", with_inputs(text_input(text).fidelity(input::Fidelity::exact))), InputError);
}

TEST_F(AgentTest, PlanEntersNothing) {
  const std::string text = "text";
  Agent to = agent();
  const Plan plan = to.plan(with_inputs(text_input(text), input::from_bytes(input::Kind::video, "video/mp4", {})));
  EXPECT_FALSE(plan.ok());
  EXPECT_TRUE(plan.inputs.at(0).violations.empty());
  EXPECT_FALSE(plan.inputs.at(1).violations.empty());
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(AgentTest, APlanListsEveryRuleThatIsBrokenInOrder) {
  const std::string page = "<!doctype html><title>404</title>", long_one(300, 'x'), picture = "\x89PNG\r\n\x1a\n";
  const auto input_of = [](input::Kind kind, const char* type, const std::string& content) {
    return input::from_bytes(kind, type, std::as_bytes(std::span(content)));
  };
  const std::vector<input::Input> given{
      input_of(input::Kind::image, "image/png", page), text_input(long_one).name("a/b").size(1),
      input_of(input::Kind::video, "video/mp4", long_one),
      input_of(input::Kind::image, "image/png", picture).require(input::Mode::workspace_reference)};
  AgentOptions with = options();
  with.limits.max_count = 3;
  with.limits.max_input_bytes = 200;
  with.limits.max_total_bytes = 250;
  Agent to(driver.driver(), with);
  const auto listed = [](const Plan& plan) {
    std::vector<std::string> rules;
    for (const PlannedInput& input : plan.inputs) {
      for (const auto& one : input.violations) rules.push_back(std::to_string(input.index) + " " + one.reason);
    }
    for (const auto& one : plan.set_violations) rules.push_back("set " + one.reason);
    return rules;
  };
  const std::vector<std::string> expected{"0 media_type_mismatch", "1 name_invalid",     "1 size_mismatch",
                                          "1 input_bytes_limit",   "2 kind_unsupported", "2 media_type_mismatch",
                                          "2 input_bytes_limit",   "3 mode_unsupported", "set count_limit",
                                          "set total_bytes_limit"};
  EXPECT_EQ(listed(to.plan(with_inputs(given))), expected);
  EXPECT_EQ(listed(to.plan(with_inputs(given[0], given[1]), with_inputs(given[2], given[3]))), expected);
  EXPECT_EQ(driver.entered, 0);
  EXPECT_EQ(scratch.run_directories(), 0U);
}

TEST_F(AgentTest, AClosedAgentRunsNothing) {
  Agent to = agent();
  to.close();
  to.close();
  EXPECT_EQ(driver.destroyed, 1);
  EXPECT_EQ(early_error([&] { to.run("prompt"); }).code(), errc::agent_closed);
  EXPECT_EQ(early_error([&] { to.plan(); }).code(), errc::agent_closed);
  Stream stream = to.stream("prompt");
  EXPECT_FALSE(stream.next().has_value());
  EXPECT_EQ(early_error([&] { stream.result(); }).code(), errc::agent_closed);
  EXPECT_EQ(to.descriptor().id, "fake");
}

}  // namespace
}  // namespace attache
