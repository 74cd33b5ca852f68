// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "fake_host.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

class Report : public ::testing::Test {
 protected:
  attache_status run(std::function<void(const sdk::Request&, sdk::Run&)> body) {
    script = {};
    script.run = std::move(body);
    const Loaded driver;
    attache_input input{};
    input.struct_size = sizeof input;
    input.id = {"input-1", 7};
    const attache_input* const inputs[] = {&input};
    attache_request request{};
    request.struct_size = sizeof request;
    request.prompt = {"hi", 2};
    request.inputs = inputs;
    request.input_count = 1;
    return driver.table->run(driver.instance, &request, host.id());
  }
  Recorder host;
};

TEST_F(Report, OfADriverThatSaysNothingIsStartedAndCompleted) {
  EXPECT_EQ(run([](const sdk::Request&, sdk::Run&) {}), ATTACHE_OK);
  const auto events = host.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].type, ATTACHE_EVENT_STARTED);
  EXPECT_EQ(events[1].type, ATTACHE_EVENT_COMPLETED);
  EXPECT_EQ(events[1].code, static_cast<std::uint32_t>(ATTACHE_OK));
  EXPECT_TRUE(host.errors().empty());
}

TEST_F(Report, StartsOnceAndFirst) {
  run([](const sdk::Request&, sdk::Run& r) {
    r.started("model-1", "provider 2");
    r.text("a");
    r.started("model-2");
  });
  const auto started = host.events(ATTACHE_EVENT_STARTED);
  ASSERT_EQ(started.size(), 1u);
  EXPECT_EQ(started[0].text, "model-1");
  EXPECT_EQ(started[0].name, "provider 2");
  EXPECT_EQ(host.events()[0].type, ATTACHE_EVENT_STARTED);
}

TEST_F(Report, ThatComesBeforeStartedIsPrecededByIt) {
  run([](const sdk::Request&, sdk::Run& r) { r.notice("slug", "A sentence."); });
  ASSERT_EQ(host.events().size(), 3u);
  EXPECT_EQ(host.events()[0].type, ATTACHE_EVENT_STARTED);
  EXPECT_EQ(host.events()[1].type, ATTACHE_EVENT_NOTICE);
}

TEST_F(Report, OfTextIsTheAnswerUnlessOneIsGiven) {
  run([](const sdk::Request&, sdk::Run& r) {
    r.text("one ");
    r.text("two");
  });
  EXPECT_EQ(host.events().back().text, "one two");
  run([](const sdk::Request&, sdk::Run& r) {
    r.text("thinking aloud");
    r.completed("final");
  });
  EXPECT_EQ(host.events().back().text, "final");
}

TEST_F(Report, CarriesEachFieldOfEachEvent) {
  std::array<std::uint8_t, 32> digest{};
  digest[0] = 1;
  digest[31] = 2;
  run([&](const sdk::Request& request, sdk::Run& r) {
    r.reasoning("why");
    r.tool_call("c1", "read", "{\"a\":1}");
    r.tool_result("c1", "no", true);
    r.notice("slug", "sentence", "input-1");
    r.receipt(request.inputs()[0], sdk::Receipt::altered, {"image/jpeg", 9, digest});
    r.receipt(request.inputs()[0], sdk::Receipt::unknown);
    r.usage("{\"input_tokens\":1}");
    r.transcript("{\"t\":1}");
    r.raw(sdk::RawStream::standard_error, "oops");
  });
  const auto e = host.events();
  ASSERT_EQ(e.size(), 11u);
  EXPECT_EQ(e[1].type, ATTACHE_EVENT_REASONING_DELTA);
  EXPECT_EQ(e[1].text, "why");
  EXPECT_EQ(e[2].type, ATTACHE_EVENT_TOOL_CALL);
  EXPECT_EQ(e[2].id + e[2].name + e[2].json, "c1read{\"a\":1}");
  EXPECT_EQ(e[3].type, ATTACHE_EVENT_TOOL_RESULT);
  EXPECT_EQ(e[3].id + e[3].text, "c1no");
  EXPECT_EQ(e[3].code, 1u);
  EXPECT_EQ(e[4].name + e[4].text + e[4].id, "slugsentenceinput-1");
  EXPECT_EQ(e[5].type, ATTACHE_EVENT_RECEIPT);
  EXPECT_EQ(e[5].id, "input-1");
  EXPECT_EQ(e[5].code, ATTACHE_RECEIPT_ALTERED);
  EXPECT_EQ(e[5].media_type, "image/jpeg");
  EXPECT_EQ(e[5].size, 9u);
  EXPECT_TRUE(e[5].has_sha256);
  EXPECT_EQ(e[5].sha256, digest);
  EXPECT_EQ(e[6].code, ATTACHE_RECEIPT_UNKNOWN);
  EXPECT_FALSE(e[6].has_sha256);
  EXPECT_EQ(e[7].json, "{\"input_tokens\":1}");
  EXPECT_EQ(e[8].type, ATTACHE_EVENT_TRANSCRIPT);
  EXPECT_EQ(e[9].code, ATTACHE_RAW_STDERR);
}

TEST_F(Report, OfDeliveryGoesForwardOnly) {
  EXPECT_EQ(run([](const sdk::Request&, sdk::Run& r) {
              r.not_delivered();
              r.indeterminate();
              r.indeterminate();
              r.delivered();
            }),
            ATTACHE_OK);
  EXPECT_EQ(host.deliveries(),
            (std::vector<attache_delivery>{ATTACHE_NOT_DELIVERED, ATTACHE_INDETERMINATE, ATTACHE_DELIVERED}));
  EXPECT_EQ(run([](const sdk::Request&, sdk::Run& r) { r.not_delivered(); }), ATTACHE_CONTRACT);
  EXPECT_EQ(host.errors().back().reason, "report_refused");
}

TEST_F(Report, OfACheckpointArrives) {
  run([](const sdk::Request&, sdk::Run& r) { r.checkpoint("{\"s\":1}"); });
  EXPECT_EQ(host.checkpoints(), std::vector<std::string>{"{\"s\":1}"});
}

TEST_F(Report, RetainIsMatchedByOneRelease) {
  std::optional<sdk::Retained> kept;
  run([&](const sdk::Request&, sdk::Run& r) {
    kept.emplace(r.retain());
    const sdk::Retained second = r.retain();
    EXPECT_EQ(host.references(), 2);
  });
  EXPECT_EQ(host.references(), 1);
  sdk::Retained moved = std::move(*kept);
  kept.reset();
  EXPECT_EQ(host.references(), 1);
  { const sdk::Retained last = std::move(moved); }
  EXPECT_EQ(host.references(), 0);
}

TEST_F(Report, ToAHostThatIsDoneIsAContractFailure) {
  EXPECT_EQ(run([&](const sdk::Request&, sdk::Run& r) {
              r.started("m");
              EXPECT_THROW(
                  {
                    host.close();
                    r.text("late");
                  },
                  sdk::Failure);
            }),
            ATTACHE_CANCELLED);
}

TEST(Since11, APrivateDirectoryAndAGroupOfTheRun) {
  const Recorder host;
  std::string first, second;
  bool told = false;
  script = {};
  script.run = [&](const sdk::Request&, sdk::Run& run) {
    first = run.private_directory();
    second = run.private_directory();
    told = run.process_group(4711, 12);
  };
  const Loaded driver;
  attache_request request{};
  request.struct_size = sizeof request;
  const std::string prompt = "prompt";
  request.prompt = span(prompt);
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_OK);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, host.directory());
  EXPECT_EQ(second, first);
  EXPECT_TRUE(told);
  EXPECT_EQ(host.groups(), (std::vector<std::pair<std::int64_t, std::uint64_t>>{{4711, 12}}));
}

TEST(Since11, AHostOf10HasNeitherAndTheDriverIsTold) {
  const Recorder host;
  std::string directory = "unset";
  bool told = true;
  script = {};
  script.run = [&](const sdk::Request&, sdk::Run& run) {
    directory = run.private_directory();
    told = run.process_group(4711, 12);
  };
  const Loaded driver(fake_host_1_0());
  attache_request request{};
  request.struct_size = sizeof request;
  const std::string prompt = "prompt";
  request.prompt = span(prompt);
  EXPECT_EQ(driver.table->run(driver.instance, &request, host.id()), ATTACHE_OK);
  EXPECT_EQ(directory, "");
  EXPECT_FALSE(told);
}

}  // namespace
}  // namespace attache::testing
