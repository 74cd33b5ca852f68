// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <attache/sdk/base64.hpp>

#include "fixture.hpp"

namespace attache::testing {
namespace {

/// Gives `content` in pieces of `step`, again and again if `endless`; may lie about how much it wrote, or throw.
class TextReader final : public input::Reader {
 public:
  TextReader(std::string content, std::size_t step) : content_(std::move(content)), step_(step) {}
  std::size_t read(std::span<std::byte> buffer) override {
    ++reads;
    if (throws) throw std::runtime_error("secret path");
    if (lies) return buffer.size() + 1;
    if (endless) at_ = 0;
    const std::size_t count = std::min({step_, buffer.size(), content_.size() - at_});
    std::memcpy(buffer.data(), content_.data() + at_, count);
    at_ += count;
    return count;
  }
  bool throws = false, lies = false, endless = false;
  static int reads;

 private:
  std::string content_;
  std::size_t step_, at_ = 0;
};

int TextReader::reads = 0;

PartResolver gives(const std::string& content, std::size_t step = 1 << 20) {
  return [=](const ContentReference&, std::stop_token) { return std::make_unique<TextReader>(content, step); };
}

std::vector<Message> history(std::string_view content) {
  return {message(Role::user, "see", {reference_part(content), data_part("x")}), message(Role::assistant, "seen")};
}

TEST(HistoryResolver, WritesTheBytesOfReferences) {
  for (const std::size_t size : {1u, 2u, 3u, 49'151u, 49'152u, 49'153u, 500'000u}) {
    std::string content(size, '\0');
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 >> 2);
    for (const std::size_t step : {std::size_t{1000}, std::size_t{1} << 20}) {
      const std::string json = to_json(history(content), gives(content, step));
      EXPECT_TRUE(json ==
                  R"([{"role":"user","content":"see","parts":[{"kind":"document","data":")" +
                      sdk::base64_encode(content) +
                      R"(","mediaType":"application/pdf"},{"kind":"image","data":"eA==","mediaType":"image/png"}]},)"
                      R"({"role":"assistant","content":"seen"}])")
          << size << ' ' << step;
    }
  }
}

TEST(HistoryResolver, IsAskedForTheReferenceOnly) {
  int asked = 0;
  const PartResolver resolver = [&](const ContentReference& wanted, std::stop_token) {
    ++asked;
    EXPECT_EQ(wanted.size, 7u);
    EXPECT_EQ(wanted.sha256, sdk::sha256("content"));
    return std::make_unique<TextReader>("content", 7);
  };
  to_json(history("content"), resolver);
  EXPECT_EQ(asked, 1);
  to_json(history("content"));
  EXPECT_EQ(asked, 1) << "without a resolver references stay references";
}

TEST(HistoryResolver, OtherBytesAreAMismatch) {
  for (const char* const other : {"CONTENT", "conten", "content and more", ""}) {
    EXPECT_EQ(refusal([&] { to_json(history("content"), gives(other)); }, errc::input_digest_mismatch),
              "digest_mismatch")
        << other;
  }
}

TEST(HistoryResolver, StopsAfterTheSizeThatWasSaid) {
  const PartResolver endless = [](const ContentReference&, std::stop_token) {
    auto reader = std::make_unique<TextReader>(std::string(65'536, 'x'), 65'536);
    reader->endless = true;
    return reader;
  };
  TextReader::reads = 0;
  EXPECT_EQ(refusal([&] { to_json(history(std::string(100'000, 'x')), endless); }, errc::input_digest_mismatch),
            "digest_mismatch");
  EXPECT_LE(TextReader::reads, 3);
}

TEST(HistoryResolver, ASizeThatIsALieReservesNothing) {
  std::vector<Message> messages = history("content");
  messages[0].parts[0].reference->size = ~std::uint64_t{0};
  EXPECT_EQ(refusal([&] { to_json(messages, gives("content")); }, errc::input_digest_mismatch), "digest_mismatch");
}

TEST(HistoryResolver, WhatCannotBeResolvedIsTyped) {
  const auto reason = [](const PartResolver& resolver) {
    return refusal([&] { to_json(history("content"), resolver); }, errc::input_materialization_failed);
  };
  EXPECT_EQ(reason([](const ContentReference&, std::stop_token) { return nullptr; }), "reference_unresolved");
  EXPECT_EQ(reason(nullptr), "reference_unresolved");
  EXPECT_EQ(reason([](const ContentReference&, std::stop_token) -> std::unique_ptr<input::Reader> {
              throw std::runtime_error("secret path");
            }),
            "reference_unresolved");
  for (const bool lies : {false, true}) {
    EXPECT_EQ(reason([lies](const ContentReference&, std::stop_token) {
                auto reader = std::make_unique<TextReader>("content", 7);
                (lies ? reader->lies : reader->throws) = true;
                return reader;
              }),
              "reference_unresolved");
  }
}

TEST(HistoryResolver, NothingIsOpenedWhenAnyMessageIsInvalid) {
  std::vector<Message> messages = history("content");
  messages.push_back(message(Role::tool, "", {data_part()}));
  int asked = 0;
  const PartResolver resolver = [&](const ContentReference&, std::stop_token) {
    ++asked;
    return std::make_unique<TextReader>("content", 7);
  };
  EXPECT_EQ(refusal([&] { to_json(messages, resolver); }), "parts_not_on_user");
  EXPECT_EQ(asked, 0);
}

}  // namespace
}  // namespace attache::testing
