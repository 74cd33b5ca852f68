// SPDX-License-Identifier: Apache-2.0
#include "check/context.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check/channel.hpp"
#include "check/job.hpp"
#include "check/worker.hpp"

namespace attache::conformance {

using Json = nlohmann::ordered_json;

void JobSpec::save(const std::filesystem::path& file) const {
  Json document{{"plugin", plugin.string()},
                {"scratch", scratch.string()},
                {"job", job},
                {"cell", cell},
                {"seed", seed},
                {"provider", provider.string()},
                {"config", config},
                {"limit_ms", limit_ms}};
  std::ofstream out(file, std::ios::binary);
  out << document.dump();
  if (!out.flush()) throw std::runtime_error("the job's specification cannot be written");
}

JobSpec JobSpec::load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Json document = Json::parse(in);
  JobSpec spec;
  spec.plugin = std::string(document.at("plugin"));
  spec.scratch = std::string(document.at("scratch"));
  spec.job = document.at("job");
  spec.cell = document.at("cell");
  spec.seed = document.at("seed");
  spec.provider = std::string(document.at("provider"));
  spec.config = document.at("config");
  spec.limit_ms = document.at("limit_ms");
  return spec;
}

bool Finding::expect(bool holds, const std::string& reason) {
  if (!holds) faults_.push_back(reason);
  return holds;
}

JobContext::JobContext(JobSpec spec, const Watch& watch, int channel)
    : spec_(std::move(spec)),
      watch_(watch),
      channel_(channel),
      file_(read_plugin_file(spec_.plugin)),
      random_(spec_.seed ^ std::hash<std::string>{}(spec_.job + spec_.cell)) {
  if (!file_.descriptor) throw std::runtime_error("the plugin has changed since the kit began");
  if (find_job(spec_.job)->needs_dialect) {
    dialect_ = Dialect::find(file_.descriptor->protocol, spec_.plugin.parent_path());
  }
}

std::filesystem::path JobContext::folder(const std::string& prefix) {
  auto path = spec_.scratch / fmt::format("{}-{:016x}", prefix, random_.next());
  std::filesystem::create_directory(path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

Canary JobContext::canary(input::Kind kind, std::string_view media_type, std::uint64_t size) {
  auto source = spec_.scratch / "canaries";
  std::filesystem::create_directories(source);
  Canary canary = make_canary(kind, media_type, size, random_, source);
  marks_.push_back(canary.mark);
  return canary;
}

std::string JobContext::config(const std::filesystem::path& executable, const std::string& more) const {
  const std::string& test = descriptor().transport_test_config;
  Json config = test.empty() ? Json::object() : Json::parse(test);
  if (!more.empty()) config.update(Json::parse(more), true);
  if (!descriptor().transport_option.empty()) {
    // A driver may require the option; an instance that is never run gets a provider that is not there.
    config[descriptor().transport_option] = executable.empty() ? "/nonexistent/provider" : executable.string();
  }
  if (!spec_.config.empty()) config.update(Json::parse(spec_.config), true);
  return config.dump();
}

void JobContext::begin(const std::string& id) {
  Message message;
  message.type = Message::Type::begin;
  message.text = id;
  write_channel(channel_, spec_.token + encode(message));
}

void JobContext::stage(const std::string& name) {
  Message message;
  message.text = name;
  write_channel(channel_, spec_.token + encode(message));
}

void JobContext::report(const std::string& id, const Finding& finding) {
  CheckResult result;
  result.id = id;
  result.outcome = finding.failed() ? Outcome::fail : Outcome::pass;
  result.evidence = finding.evidence_;
  if (finding.failed()) {
    result.reason = finding.faults_.front();
    for (std::size_t i = 1; i < finding.faults_.size(); ++i) result.evidence.push_back("also: " + finding.faults_[i]);
  }
  send(std::move(result));
}

void JobContext::not_applicable(const std::string& id, const std::string& why, const Finding& finding) {
  send({id, {}, Outcome::not_applicable, why, finding.evidence_});
}

void JobContext::not_run(const std::string& id, const std::string& why) {
  send({id, {}, Outcome::not_run, why, {}});
}

bool JobContext::needs_watch(const std::string& id) {
  if (!watch_.active()) not_run(id, "the kernel refused the filter that counts processes and connections");
  return watch_.active();
}

std::string JobContext::scrubbed(std::string text) const {
  const auto remove = [&](const std::string& what, std::string_view instead) {
    for (std::size_t at; !what.empty() && (at = text.find(what)) != std::string::npos;) {
      text.replace(at, what.size(), instead);
    }
  };
  remove(spec_.plugin.string(), "<plugin>");
  remove(spec_.provider.string(), "<provider>");
  for (const char* folder : {"runs", "run", "tap", "texts", "canaries", "state", "record", "work"}) {
    const std::string begin = (spec_.scratch / folder).string();
    for (std::size_t at; (at = text.find(begin)) != std::string::npos;) {
      text.replace(at, std::min(text.find_first_of("\" \n", at), text.size()) - at, "<path>");
    }
  }
  remove(spec_.scratch.string(), "<scratch>");
  for (const auto& mark : marks_) remove(mark, "<mark>");
  return text;
}

void JobContext::send(CheckResult result) {
  result.reason = scrubbed(std::move(result.reason));
  for (auto& line : result.evidence) line = scrubbed(std::move(line));
  result.coordinates = spec_.cell;
  Message message;
  message.type = Message::Type::result;
  message.result = std::move(result);
  write_channel(channel_, spec_.token + encode(message));
}

}  // namespace attache::conformance
