// SPDX-License-Identifier: Apache-2.0
// Everything of a run before its driver is entered.
#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "inputs/input_state.hpp"
#include "inputs/prompt.hpp"
#include "inputs/utf8.hpp"
#include "run/history.hpp"
#include "run/needs_inspection.hpp"
#include "run/run.hpp"

namespace attache::run {
namespace {

constexpr std::size_t longest_schema = std::size_t{1} << 20;

void need(bool declared, const Descriptor& descriptor, const char* feature) {
  if (!declared) {
    throw Error(errc::option_unsupported, feature,
                fmt::format("driver {} does not declare {}", descriptor.id, feature));
  }
}

void check_schema_text(const std::string& schema) {
  const bool sound = schema.size() <= longest_schema && inputs::is_utf8(schema) &&
                     nlohmann::json::parse(schema, nullptr, false).is_object();
  if (!sound) {
    throw InputError(errc::input_invalid, "output_schema_invalid",
                     "the output schema is no JSON object of at most 1 MiB", {});
  }
}

/// What must not be shown of a set of inputs.
void add_guarded(redact::Guard& guard, const inputs::RunInputs& inputs, const std::vector<input::Input>& given,
                 std::string_view prefix) {
  for (std::size_t i = 0; i < inputs.resolved().size(); ++i) {
    const ResolvedInput& resolved = inputs.resolved()[i];
    redact::GuardedInput guarded{fmt::format("{}-{}", prefix, resolved.index + 1), inputs.local_path(i), {}};
    const auto& source = input::InputAccess::state(given.at(resolved.index)).source;
    if (const auto* path = std::get_if<std::filesystem::path>(&source)) {
      guarded.source_paths.push_back(path->string());
    }
    if (!inputs.url(i).empty()) {
      guarded.source_paths.push_back(inputs.url(i));
    }
    guard.inputs.push_back(std::move(guarded));
  }
}

}  // namespace

void Run::prepare() {
  check_options();
  if (turn_ != nullptr) {
    turn_->begin();
    if (settings_.history != nullptr && turn_->resumes()) {
      throw Error(errc::option_unsupported, "history_on_resume",
                  "a turn that resumes a thread takes no history: the provider has it");
    }
  }
  materialize();
  auto recorder = make_recorder();
  make_request();
  std::lock_guard lock(mutex_);
  recorder_ = std::move(recorder);
  prepared_ = true;
  changed_.notify_all();
}

void Run::check_options() const {
  const Descriptor& descriptor = terms_.instance->descriptor();
  inputs::check_prompt(prompt_, settings_.inputs.size());
  if (settings_.history != nullptr) {
    check_history(*settings_.history, settings_.resolver != nullptr);
    need(descriptor.features.history, descriptor, "history");
  }
  if (settings_.output_schema.has_value()) {
    check_schema_text(*settings_.output_schema);
    need(descriptor.features.structured_output, descriptor, "structured_output");
  }
}

void Run::materialize() {
  static const std::vector<Message> none;
  const std::vector<Message>& history = settings_.history != nullptr ? *settings_.history : none;
  std::vector<input::Input> parts = parts_of(history, settings_.resolver);
  effective_ = terms_.instance->effective();
  if (!effective_->inspected && (needs_inspection(settings_.inputs, effective_->capabilities) ||
                                 needs_inspection(parts, effective_->capabilities))) {
    effective_ = terms_.instance->inspected();
  }
  inputs::Terms of_history = terms_.for_inputs(*effective_, prompt_.size());
  of_history.limits = terms_.history_limits;
  of_history.fidelity = input::Fidelity::any;
  history_parts_ = materialize_history(history, parts, std::move(of_history), stop_.get_token());
  const std::uint64_t before = prompt_.size() + encoded_bytes(history, history_parts_, effective_->capabilities);
  inputs_ = inputs::RunInputs::prepare(settings_.inputs, terms_.for_inputs(*effective_, before), stop_.get_token());
  guard_ = {inputs_.directory(),
            workspace_,
            {},
            history_parts_.directory(),
            {inputs_.placement(), history_parts_.placement()},
            terms_.instance->secrets()};
  add_guarded(guard_, inputs_, settings_.inputs, "input");
  add_guarded(guard_, history_parts_, parts, "history");
  settings_.inputs.clear();
}

std::unique_ptr<Recorder> Run::make_recorder() {
  auto recorder = std::make_unique<Recorder>(inputs_.resolved(), guard_, place_, events_, cancelled_);
  for (std::size_t i = 0; i < inputs_.resolved().size(); ++i) {
    const std::string& id = inputs_.resolved()[i].id;
    wants_exact_.push_back(inputs_.wants_exact(i));
    if (!inputs_.inside_exact_bounds(i)) {
      recorder->note({"beyond_exact_bounds",
                      fmt::format("Input {} is beyond the bounds inside which the provider keeps the bytes.", id), id});
    }
  }
  return recorder;
}

void Run::make_request() {
  RequestContent content;
  content.prompt = &prompt_;
  content.workspace = &workspace_;
  content.inputs = &inputs_;
  content.history = settings_.history.get();
  content.history_parts = &history_parts_;
  content.output_schema = settings_.output_schema.has_value() ? &*settings_.output_schema : nullptr;
  content.idle = settings_.idle;
  content.forbid_retention = terms_.forbid_retention;
  request_ = std::make_unique<Request>(content);
  if (turn_ != nullptr) {
    const bool can_fork = terms_.instance->descriptor().features.fork;
    const bool new_content = !inputs_.resolved().empty();
    on_fork_ = turn_->resumes() && (turn_->must_fork() || (can_fork && new_content));
    request_->set_thread(turn_->id(), turn_->checkpoint(), on_fork_);
  }
}

}  // namespace attache::run
