// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace attache::testing {
namespace fs = std::filesystem;

CodebuddyTest::CodebuddyTest() {
  std::string name = (fs::temp_directory_path() / "codebuddy-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
  root_ = name;
  for (const char* one : {"record", "runs", "home", "work"}) {
    fs::create_directory(root_ / one);
    fs::permissions(root_ / one, fs::perms::owner_all);
  }
  ::setenv("FAKE_CODEBUDDY_RECORD", (root_ / "record").c_str(), 1);
  scenario("ok");
}

CodebuddyTest::~CodebuddyTest() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void CodebuddyTest::scenario(const std::string& name) {
  ::setenv("FAKE_CODEBUDDY_SCENARIO", name.c_str(), 1);
}

Agent CodebuddyTest::agent(const nlohmann::json& more, std::shared_ptr<ThreadStore> store,
                           const fs::path& workspace) const {
  HostOptions host;
  host.allow_writable_by_others = true;  // a build tree's folders are what the umask made them
  AgentOptions options;
  options.run_base = root_ / "runs";
  options.workspace = workspace;
  nlohmann::json config{{"executable", FAKE_CODEBUDDY},
                        {"home", (root_ / "home").string()},
                        {"api_key", "key-of-the-test"},
                        {"pass_environment", {"FAKE_CODEBUDDY_SCENARIO", "FAKE_CODEBUDDY_RECORD"}}};
  config.update(more);
  options.config = config.dump();
  options.thread_store = std::move(store);
  return Agent(Host(host).driver_from_file(CODEBUDDY_DRIVER), options);
}

fs::path CodebuddyTest::file(const std::string& name, const std::string& bytes) const {
  write_file(root_ / name, bytes);
  return root_ / name;
}

input::Input CodebuddyTest::picture() const {
  return input::from_path(input::Kind::image, file("a.png", png_that_claims(16, 16)));
}

input::Input CodebuddyTest::table() const {
  return input::from_path(input::Kind::file, file("a.csv", "a,b\n1,2\n")).media_type("text/csv");
}

void CodebuddyTest::expect_refused(Agent agent, const std::string& prompt, const std::vector<input::Input>& inputs,
                                   const std::string& reason) const {
  try {
    agent.run(prompt, with_inputs(inputs));
    ADD_FAILURE() << "it was sent";
  } catch (const Error& error) {
    EXPECT_EQ(error.reason(), reason) << error.what();
    EXPECT_EQ(std::string(error.what()).find(root_.string()), std::string::npos);
    if (const auto* late = dynamic_cast<const RunError*>(&error)) {
      EXPECT_EQ(late->delivery(), Delivery::not_delivered);
    }
  }
  EXPECT_FALSE(sent());
  EXPECT_TRUE(fs::is_empty(root_ / "runs"));
}

void CodebuddyTest::expect_failed(const std::string& how, errc code, const std::string& reason) const {
  SCOPED_TRACE(how);
  scenario(how);
  Agent codebuddy = agent();
  try {
    codebuddy.run("look", with_inputs(picture()));
    ADD_FAILURE() << "it went well";
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.reason(), reason);
    EXPECT_EQ(error.delivery(), Delivery::delivered);
    EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_empty(root_ / "runs"));
}

std::vector<nlohmann::json> CodebuddyTest::lines(const std::string& name) const {
  std::vector<nlohmann::json> out;
  std::ifstream in(root_ / "record" / name);
  for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

}  // namespace attache::testing
