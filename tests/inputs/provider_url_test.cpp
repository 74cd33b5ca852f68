// SPDX-License-Identifier: Apache-2.0
#include "support/bench.hpp"
#include "support/media.hpp"
#include "support/readers.hpp"

namespace attache::testing {
namespace {

using input::Kind;
using input::Mode;

class ProviderUrlTest : public InputsTest {
 protected:
  ProviderUrlTest() {
    driver.features.url_schemes = {"https", "gs"};
    driver.inputs.image.modes.push_back(mode(Mode::provider_url, {"image/png", "image/jpeg"}));
    allow_provider_urls = true;
  }
  input::Input at(const std::string& url) const { return input::from_url(Kind::image, url).media_type("image/png"); }
  const std::string good = "https://media.example.com/a/secret-token.jpg?signature=s3cr3t#part";

  std::vector<std::string> planned(const input::Input& given) const {
    std::vector<std::string> reasons;
    const Plan result = inputs::plan({given}, terms());
    for (const auto& violation : result.inputs.at(0).violations) reasons.push_back(violation.reason);
    return reasons;
  }
};

TEST_F(ProviderUrlTest, GoesToTheDriverAndNowhereElse) {
  const auto run = accept({at(good)});
  ASSERT_EQ(run.resolved().size(), 1u);
  const ResolvedInput& resolved = run.resolved()[0];
  EXPECT_EQ(resolved.mode, Mode::provider_url);
  EXPECT_EQ(resolved.name, "input-1.png") << "nothing of the URL is in the name";
  EXPECT_EQ(resolved.media_type, "image/png");
  EXPECT_EQ(resolved.size, 0u);
  EXPECT_EQ(resolved.sha256, input::Digest{});
  EXPECT_EQ(run.url(0), good);
  EXPECT_EQ(run.local_path(0), "");
  EXPECT_TRUE(run.directory().empty());
  EXPECT_EQ(entries(base), 0u);
}

TEST_F(ProviderUrlTest, StandsInOrderBesideCopies) {
  const std::string picture = png(1, 1);
  const auto run = accept({at(good), bytes(Kind::image, "image/png", picture), at(good).name("b.png")});
  ASSERT_EQ(run.resolved().size(), 3u);
  EXPECT_EQ(run.resolved()[1].mode, Mode::native);
  EXPECT_EQ(run.url(1), "");
  EXPECT_EQ(read_file(run.local_path(1)), picture);
  EXPECT_EQ(run.resolved()[2].name, "b.png");
  EXPECT_EQ(run.url(2), good);
}

TEST_F(ProviderUrlTest, IsOffUnlessTheAgentAllowsIt) {
  allow_provider_urls = false;
  expect_refusal({at(good)}, errc::input_mode_unsupported, "urls_not_allowed");
}

TEST_F(ProviderUrlTest, NeedsADriverThatTakesUrls) {
  driver.inputs.image.modes.pop_back();
  expect_refusal({at(good)}, errc::input_mode_unsupported, "mode_unsupported");
}

TEST_F(ProviderUrlTest, IsNeverMadeIntoAnotherMode) {
  expect_refusal({at(good).require(Mode::native)}, errc::input_mode_unsupported, "mode_unsupported");
  EXPECT_EQ(accept({at(good).require(Mode::provider_url)}).url(0), good);
}

TEST_F(ProviderUrlTest, OnlySchemesThatTheDriverNames) {
  EXPECT_EQ(accept({at("gs://bucket/object")}).url(0), "gs://bucket/object");
  EXPECT_EQ(accept({at("HTTPS://example.com/")}).url(0), "HTTPS://example.com/");
  for (const char* url : {"http://example.com/a.png", "file://host/etc/passwd", "s3://bucket/key", "ftp://h/a"}) {
    expect_refusal({at(url)}, errc::input_mode_unsupported, "scheme_unsupported");
  }
}

TEST_F(ProviderUrlTest, OnlyHostsOfTheList) {
  provider_url_hosts = {"Media.Example.com", "[2001:db8::1]"};
  for (const char* url :
       {"https://media.example.com/a", "https://MEDIA.example.com", "https://media.example.com:8443/a",
        "https://media.example.com?a", "https://[2001:DB8::1]:443/a"}) {
    EXPECT_EQ(accept({at(url)}).url(0), url);
  }
  for (const char* url :
       {"https://example.com/a", "https://a.media.example.com/", "https://media.example.com.evil.org/",
        "https://media.example.com./a", "https://evil.org/media.example.com", "https://evil.org?media.example.com",
        "https://evil.org#media.example.com", "https://media%2eexample.com/", "https://[2001:db8::2]/",
        "https://2001/"}) {
    expect_refusal({at(url)}, errc::input_mode_unsupported, "host_not_allowed");
  }
}

TEST_F(ProviderUrlTest, MalformedOnesAreInvalid) {
  const std::string long_one = "https://example.com/" + std::string(8192 - 20, 'a');
  EXPECT_EQ(accept({at(long_one)}).url(0), long_one);
  for (const std::string& url : {std::string(), std::string("example.com/a.png"), std::string("https:///a"),
                                 std::string("https://exa mple.com/"), std::string("https://example.com/\n"),
                                 std::string("https://example.com/\0a", 22), std::string("https://example.com\\evil/"),
                                 std::string("https://ex\xc3\xa4mple.com/"), long_one + "a"}) {
    expect_refusal({at(url)}, errc::input_invalid, "url_malformed");
  }
  for (const char* url : {"https://user:word@example.com/", "https://user@example.com/", "https://@example.com/"}) {
    expect_refusal({at(url)}, errc::input_invalid, "url_user_info");
  }
}

TEST_F(ProviderUrlTest, NothingCanBeExpectedOfWhatIsNotRead) {
  expect_refusal({at(good).size(1)}, errc::input_invalid, "url_expectation");
  expect_refusal({at(good).sha256({})}, errc::input_invalid, "url_expectation");
  expect_refusal({at(good).fidelity(input::Fidelity::exact)}, errc::input_mode_unsupported, "never_exact");
  ExactBounds bounds;
  bounds.max_bytes = 1000;
  driver.inputs.image.modes.back().exact = bounds;
  EXPECT_FALSE(accept({at(good)}).inside_exact_bounds(0));
}

TEST_F(ProviderUrlTest, NeedsAMediaTypeUnlessTheDriverTakesTheKindWithoutOne) {
  const auto untyped = input::from_url(Kind::image, good);
  expect_refusal({untyped}, errc::input_invalid, "media_type_unknown");
  EXPECT_EQ(accept({untyped.name("a.jpg")}).resolved()[0].media_type, "image/jpeg");
  expect_refusal({untyped.media_type("image/gif")}, errc::input_media_type_unsupported, "media_type_unsupported");
  driver.inputs.image.modes.back().media_types.clear();
  EXPECT_EQ(accept({untyped}).resolved()[0].media_type, "");
}

TEST_F(ProviderUrlTest, CountsAgainstTheLimitOfItsMode) {
  driver.inputs.image.modes.back().max_count = 1;
  EXPECT_EQ(accept({at(good)}).resolved().size(), 1u);
  expect_refusal({at(good), at(good)}, errc::input_too_large, "count_limit");
}

TEST_F(ProviderUrlTest, R_K2_NoErrorHoldsAnyOfIt) {
  provider_url_hosts = {"other.example"};
  for (const auto& given : {at(good), at(good).size(1), at(good + "\n"), at("https://u:s3cr3t@media.example.com/"),
                            input::from_url(Kind::image, good)}) {
    const std::string text = refuse({given}).what();
    EXPECT_EQ(text.find("s3cr3t"), std::string::npos) << text;
    EXPECT_EQ(text.find("media.example"), std::string::npos) << text;
  }
}

TEST_F(ProviderUrlTest, APlanNamesEveryRule) {
  EXPECT_EQ(planned(at(good)), (std::vector<std::string>{}));
  EXPECT_EQ(inputs::plan({at(good)}, terms()).inputs[0].mode, Mode::provider_url);
  allow_provider_urls = false;
  provider_url_hosts = {"other.example"};
  EXPECT_EQ(
      planned(input::from_url(Kind::image, "http://example.com/")),
      (std::vector<std::string>{"media_type_unknown", "urls_not_allowed", "scheme_unsupported", "host_not_allowed"}));
  EXPECT_EQ(planned(at("https://user@example.com/")), (std::vector<std::string>{"url_user_info"}));
}

}  // namespace
}  // namespace attache::testing
