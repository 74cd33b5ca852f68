// SPDX-License-Identifier: Apache-2.0
// The built driver behind the host API and in front of a CLI that is played.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <attache/attache.hpp>
#include <attache/thread.hpp>

#include "../codex/media.hpp"

namespace attache::testing {

class CodebuddyTest : public ::testing::Test {
 protected:
  CodebuddyTest();
  ~CodebuddyTest() override;
  static void scenario(const std::string& name);

  Agent agent(const nlohmann::json& more = nlohmann::json::object(), std::shared_ptr<ThreadStore> store = nullptr,
              const std::filesystem::path& workspace = {}) const;
  std::filesystem::path file(const std::string& name, const std::string& bytes) const;
  input::Input picture() const;
  input::Input table() const;
  /// Whether a turn reached a CLI; an inspection is none.
  bool sent() const { return std::filesystem::exists(root_ / "record/stdin"); }
  /// The starts that had a turn, and the turns.
  std::vector<nlohmann::json> starts() const { return lines("start"); }
  std::vector<nlohmann::json> turns() const { return lines("stdin"); }
  /// Runs and expects an error of this reason, with nothing sent and nothing left.
  void expect_refused(Agent agent, const std::string& prompt, const std::vector<input::Input>& inputs,
                      const std::string& reason) const;
  /// Runs and expects an error after the turn was sent.
  void expect_failed(const std::string& how, errc code, const std::string& reason) const;

  std::filesystem::path root_;

 private:
  std::vector<nlohmann::json> lines(const std::string& name) const;
};

}  // namespace attache::testing
