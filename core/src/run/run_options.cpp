// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "run/run_settings.hpp"

namespace attache {

struct [[gnu::visibility("hidden")]] RunOption::Base {
  Base() = default;
  Base(const Base&) = delete;
  Base& operator=(const Base&) = delete;
  virtual ~Base() = default;
  virtual void apply(RunSettings & settings) const = 0;
};

template <class T>
struct RunOption::Holder final : Base {
  explicit Holder(T change) : change_(std::move(change)) {}
  void apply(RunSettings& settings) const override { change_(settings); }
  T change_;
};

void RunOption::apply(RunSettings& settings) const {
  base_->apply(settings);
}

RunOption with_inputs(std::vector<input::Input> inputs) {
  auto change = [list = std::move(inputs)](RunSettings& settings) {
    settings.inputs.insert(settings.inputs.end(), list.begin(), list.end());
  };
  return RunOption(std::make_shared<RunOption::Holder<decltype(change)>>(std::move(change)));
}

RunOption with_deadline(std::chrono::milliseconds total) {
  auto change = [total](RunSettings& settings) {
    settings.deadline = std::max(total, std::chrono::milliseconds::zero());
  };
  return RunOption(std::make_shared<RunOption::Holder<decltype(change)>>(change));
}

RunOption with_idle_limit(std::chrono::milliseconds idle) {
  auto change = [idle](RunSettings& settings) { settings.idle = std::max(idle, std::chrono::milliseconds::zero()); };
  return RunOption(std::make_shared<RunOption::Holder<decltype(change)>>(change));
}

RunOption with_stop_token(std::stop_token token) {
  auto change = [token = std::move(token)](RunSettings& settings) { settings.stop = token; };
  return RunOption(std::make_shared<RunOption::Holder<decltype(change)>>(std::move(change)));
}

RunOption with_history(std::vector<Message> messages, PartResolver resolver) {
  auto change = [list = std::make_shared<const std::vector<Message>>(std::move(messages)),
                 resolver = std::move(resolver)](RunSettings& settings) {
    settings.history = list;
    settings.resolver = resolver;
  };
  return RunOption(std::make_shared<RunOption::Holder<decltype(change)>>(std::move(change)));
}

RunOption with_output_schema(std::string json_schema) {
  auto change = [schema = std::move(json_schema)](RunSettings& settings) { settings.output_schema = schema; };
  return RunOption(std::make_shared<RunOption::Holder<decltype(change)>>(std::move(change)));
}

RunSettings RunSettings::from(const std::vector<RunOption>& options) {
  RunSettings settings;
  for (const RunOption& option : options) {
    option.apply(settings);
  }
  return settings;
}

}  // namespace attache
