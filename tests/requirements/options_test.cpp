// SPDX-License-Identifier: Apache-2.0
// What the options of a call are and are not.
#include <type_traits>

#include <gtest/gtest.h>

#include "inputs/input_state.hpp"
#include "run/run_settings.hpp"

namespace attache {
namespace {

using input::Kind;

// Inputs belong to a call: no agent can be made with them.
static_assert(!std::is_convertible_v<RunOption, AgentOptions>);
static_assert(!std::is_constructible_v<AgentOptions, RunOption>);
static_assert(!std::is_constructible_v<Agent, Driver, RunOption>);
static_assert(!std::is_assignable_v<AgentOptions&, RunOption>);
static_assert(std::is_constructible_v<Agent, Driver, AgentOptions>);

std::string path_of(const input::Input& given) {
  return std::get<std::filesystem::path>(input::InputAccess::state(given).source).string();
}

TEST(RunOptions, WhatTheCallerDoesToItsListLaterChangesNothing) {
  std::vector<input::Input> list{input::from_path(Kind::image, "a"), input::from_path(Kind::image, "b")};
  const RunOption option = with_inputs(list);
  list[0] = input::from_path(Kind::image, "changed");
  list.pop_back();
  for (int use = 0; use < 2; ++use) {
    RunSettings settings = RunSettings::from({option});
    ASSERT_EQ(settings.inputs.size(), 2u);
    EXPECT_EQ(path_of(settings.inputs[0]), "a");
    EXPECT_EQ(path_of(settings.inputs[1]), "b");
    settings.inputs[0] = list[0];  // nor does what a run does to its own
  }
}

TEST(RunOptions, AnEmptyListIsANoOp) {
  const auto one = with_inputs(input::from_path(Kind::image, "a"));
  const auto none = with_inputs(std::vector<input::Input>{});
  EXPECT_EQ(RunSettings::from({none, one, none}).inputs.size(), 1u);
  EXPECT_TRUE(RunSettings::from({none}).inputs.empty());
}

}  // namespace
}  // namespace attache
