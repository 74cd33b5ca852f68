// SPDX-License-Identifier: Apache-2.0
#include "checks/real_bench.hpp"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace attache::conformance {
namespace {

using Json = nlohmann::ordered_json;

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

struct Names {
  std::string base_url, key, home, state;

  Json fill(const Json& pattern) const {
    if (pattern.is_string()) {
      std::string text = pattern.get<std::string>();
      replace_all(text, "${base_url}", base_url);
      replace_all(text, "${key}", key);
      replace_all(text, "${home}", home);
      replace_all(text, "${state}", state);
      return text;
    }
    Json out = pattern;
    if (out.is_structured()) {
      for (auto& member : out.items()) member.value() = fill(member.value());
    }
    return out;
  }
};

/// The options of the pattern that the driver has.
Json known_options(const Json& pattern, const Descriptor& descriptor) {
  const Json schema = Json::parse(descriptor.config_schema, nullptr, false);
  const Json properties = schema.is_object() ? schema.value("properties", Json::object()) : Json::object();
  Json out = Json::object();
  for (const auto& option : pattern.items()) {
    if (properties.contains(option.key())) out[option.key()] = option.value();
  }
  return out;
}

}  // namespace

RealBench::RealBench(JobContext& context)
    : context_(context),
      driver_(load_driver(context)),
      requests_(Dialect::find(context.dialect().real()->recorder, context.spec().plugin.parent_path())) {}

std::string RealBench::unusable() const {
  const Json options = known_options(Json::parse(context_.dialect().real()->config_json), context_.descriptor());
  return options.dump().find("${base_url}") != std::string::npos
             ? std::string()
             : "the driver has none of the options with which the dialect leads a provider to the recorder";
}

std::string RealBench::filled_config(const std::string& base_url, const std::string& key,
                                     const std::filesystem::path& state) {
  const RealProvider& real = *context_.dialect().real();
  const Names names{base_url, key, (context_.spec().scratch / "home").string(), state.string()};
  for (const auto& [name, document] : real.files) {
    std::ofstream out(state / name, std::ios::binary);
    out << names.fill(Json::parse(document)).dump();
    if (!out.flush()) throw std::runtime_error("a file for the provider cannot be written");
  }
  const Json options = names.fill(known_options(Json::parse(real.config_json), context_.descriptor()));
  return context_.config(context_.spec().provider, options.dump());
}

RealSeen RealBench::run(const RunPlan& plan) {
  const Recorder recorder(context_.folder("record"), requests_, plan.scenario);
  ports_.push_back(recorder.port());
  const auto state = context_.folder("state"), work = context_.folder("work");
  RealSeen seen;
  seen.key = context_.dialect().real()->key;
  replace_all(seen.key, "${token}", fmt::format("{:016x}{:016x}", context_.random().next(), context_.random().next()));
  seen.folders = {state, work, context_.spec().scratch / "home", context_.spec().scratch / "tmp"};
  AgentOptions options;
  options.workspace = work;
  options.config = filled_config(recorder.base_url(), seen.key, state);
  seen.run = run_agent(context_, driver_, std::move(options), plan);
  seen.folders.push_back(seen.run.run_base);
  seen.run.captures = recorder.captures();
  return seen;
}

}  // namespace attache::conformance
