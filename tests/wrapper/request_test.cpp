// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <numeric>

#include <gtest/gtest.h>

#include "fake_host.hpp"
#include "guarded.hpp"
#include "scripted_driver.hpp"

namespace attache::testing {
namespace {

attache_status run(const attache_request* request, std::function<void(const sdk::Request&)> look) {
  script = {};
  script.run = [&](const sdk::Request& r, sdk::Run&) { look(r); };
  const Loaded driver;
  const Recorder host;
  return driver.table->run(driver.instance, request, host.id());
}

attache_request with_prompt() {
  attache_request request{};
  request.struct_size = sizeof request;
  request.prompt = {"prompt without end", 6};
  return request;
}

TEST(Request, GivesEveryField) {
  attache_input input{};
  input.struct_size = sizeof input;
  input.id = {"i1", 2};
  input.index = 4;
  input.kind = ATTACHE_KIND_FILE;
  input.mode = ATTACHE_MODE_PROVIDER_URL;
  input.exact = 1;
  input.name = {"n", 1};
  input.media_type = {"a/b", 3};
  input.local_path = {"/p", 2};
  input.url = {"https://x", 9};
  input.size = 11;
  std::iota(std::begin(input.sha256), std::end(input.sha256), std::uint8_t{1});
  attache_part part{};
  part.struct_size = sizeof part;
  part.kind = ATTACHE_KIND_IMAGE;
  part.media_type = {"image/png", 9};
  part.size = 3;
  const attache_part* const parts[] = {&part};
  attache_message message{};
  message.struct_size = sizeof message;
  message.role = ATTACHE_ROLE_ASSISTANT;
  message.text = {"m", 1};
  message.parts = parts;
  message.part_count = 1;
  const attache_input* const inputs[] = {&input};
  const attache_message* const history[] = {&message};
  attache_request request = with_prompt();
  request.inputs = inputs;
  request.input_count = 1;
  request.history = history;
  request.history_count = 1;
  request.workspace = {"/w", 2};
  request.thread = {"t", 1};
  request.checkpoint = {"c", 1};
  request.output_schema = {"s", 1};
  request.options = {"o", 1};
  request.deadline_ms = 5;
  request.idle_ms = UINT64_MAX;
  request.fork = 1;
  request.forbid_retention = 1;
  bool looked = false;
  EXPECT_EQ(run(&request,
                [&](const sdk::Request& r) {
                  looked = true;
                  EXPECT_EQ(r.prompt(), "prompt");
                  EXPECT_EQ(r.workspace(), "/w");
                  EXPECT_EQ(r.thread(), "t");
                  EXPECT_EQ(r.checkpoint(), "c");
                  EXPECT_EQ(r.output_schema(), "s");
                  EXPECT_EQ(r.options(), "o");
                  EXPECT_EQ(r.deadline(), std::chrono::milliseconds(5));
                  EXPECT_GT(*r.idle(), std::chrono::hours(24));
                  EXPECT_GT(std::chrono::steady_clock::now() + *r.idle(), std::chrono::steady_clock::now());
                  EXPECT_TRUE(r.fork());
                  EXPECT_TRUE(r.forbid_retention());
                  ASSERT_EQ(r.inputs().size(), 1u);
                  for (const sdk::Input one : r.inputs()) {
                    EXPECT_EQ(one.id(), "i1");
                    EXPECT_EQ(one.index(), 4u);
                    EXPECT_EQ(one.kind(), sdk::Kind::file);
                    EXPECT_EQ(one.mode(), sdk::Mode::provider_url);
                    EXPECT_TRUE(one.exact());
                    EXPECT_EQ(one.name(), "n");
                    EXPECT_EQ(one.media_type(), "a/b");
                    EXPECT_EQ(one.local_path(), "/p");
                    EXPECT_EQ(one.url(), "https://x");
                    EXPECT_EQ(one.size(), 11u);
                    EXPECT_EQ(one.sha256()[0], 1);
                    EXPECT_EQ(one.sha256()[31], 32);
                  }
                  ASSERT_EQ(r.history().size(), 1u);
                  EXPECT_EQ(r.history()[0].role(), sdk::Role::assistant);
                  EXPECT_EQ(r.history()[0].text(), "m");
                  ASSERT_EQ(r.history()[0].parts().size(), 1u);
                  EXPECT_EQ(r.history()[0].parts()[0].kind(), sdk::Kind::image);
                  EXPECT_EQ(r.history()[0].parts()[0].media_type(), "image/png");
                  EXPECT_EQ(r.history()[0].parts()[0].size(), 3u);
                }),
            ATTACHE_OK);
  EXPECT_TRUE(looked);
}

TEST(Request, IsReadOnlyWithinItsSize) {
  attache_request request = with_prompt();
  request.checkpoint = {"beyond", 6};
  request.deadline_ms = 5;
  for (std::size_t size = sizeof(std::uint64_t); size <= sizeof request; size += sizeof(std::uint64_t)) {
    request.struct_size = size;
    const Guarded<attache_request> guarded(request, size);
    const attache_status status = run(guarded.get(), [&](const sdk::Request& r) {
      EXPECT_EQ(r.prompt(), size >= offsetof(attache_request, inputs) ? "prompt" : "");
      EXPECT_EQ(r.checkpoint(), size >= offsetof(attache_request, output_schema) ? "beyond" : "");
      EXPECT_EQ(r.deadline().has_value(), size >= offsetof(attache_request, idle_ms));
      EXPECT_FALSE(r.idle());
      EXPECT_TRUE(r.inputs().empty());
      EXPECT_EQ(r.inputs().begin(), r.inputs().end());
      EXPECT_FALSE(r.fork());
    });
    EXPECT_EQ(status, ATTACHE_OK) << size;
  }
}

TEST(Request, InputsAreReadOnlyWithinTheirSize) {
  attache_input input{};
  input.id = {"i", 1};
  input.size = 9;
  input.sha256[0] = 7;
  input.file_device = 1;
  input.file_inode = 2;
  input.file_changed_ns = 3;
  for (std::size_t size = sizeof(std::uint64_t); size <= sizeof input; size += sizeof(std::uint64_t)) {
    input.struct_size = size;
    const Guarded<attache_input> guarded(input, size);
    const attache_input* const inputs[] = {guarded.get()};
    attache_request request = with_prompt();
    request.inputs = inputs;
    request.input_count = 1;
    EXPECT_EQ(run(&request,
                  [&](const sdk::Request& r) {
                    EXPECT_EQ(r.inputs()[0].size(), size >= offsetof(attache_input, sha256) ? 9u : 0u);
                    EXPECT_EQ(r.inputs()[0].sha256()[0], size >= offsetof(attache_input, file_device) ? 7 : 0);
                    const sdk::FileIdentity whole{1, 2, 3};
                    EXPECT_EQ(r.inputs()[0].identity() == whole, size == sizeof(attache_input));
                    EXPECT_EQ(r.inputs()[0].identity().has_value(), size > offsetof(attache_input, file_device));
                    EXPECT_EQ(r.inputs()[0].url(), "");
                  }),
              ATTACHE_OK);
  }
}

TEST(Request, OfALaterMinorIsTaken) {
  struct Later {
    attache_request now;
    std::uint64_t appended;
  } later{with_prompt(), 5};
  later.now.struct_size = sizeof later;
  EXPECT_EQ(run(&later.now, [](const sdk::Request& r) { EXPECT_EQ(r.prompt(), "prompt"); }), ATTACHE_OK);
}

TEST(Request, ThatIsMalformedIsAContractFailureAndTheDriverIsNotEntered) {
  const auto refused = [](const attache_request& request) {
    bool entered = false;
    EXPECT_EQ(run(&request, [&](const sdk::Request&) { entered = true; }), ATTACHE_CONTRACT);
    EXPECT_FALSE(entered);
  };
  attache_request request = with_prompt();
  request.struct_size = 4;
  refused(request);

  request = with_prompt();
  request.workspace = {nullptr, 3};
  refused(request);

  request = with_prompt();
  request.input_count = 1;
  refused(request);

  const attache_input* const hole[] = {nullptr};
  request.inputs = hole;
  refused(request);

  attache_input no_size{};
  const attache_input* const sizeless[] = {&no_size};
  request.inputs = sizeless;
  refused(request);

  request = with_prompt();
  request.history_count = 1;
  refused(request);

  attache_message message{};
  message.struct_size = sizeof message;
  message.reserved0 = 1;
  const attache_message* const history[] = {&message};
  request.history = history;
  refused(request);

  attache_part part{};
  part.struct_size = sizeof part;
  part.reserved0 = 1;
  const attache_part* const parts[] = {&part};
  message.reserved0 = 0;
  message.parts = parts;
  message.part_count = 1;
  refused(request);
  part.reserved0 = 0;
  EXPECT_EQ(run(&request, [](const sdk::Request&) {}), ATTACHE_OK);
}

}  // namespace
}  // namespace attache::testing
