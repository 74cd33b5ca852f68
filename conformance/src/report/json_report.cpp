// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "check/registry.hpp"
#include "check/scratch.hpp"
#include "report/report.hpp"

namespace attache::conformance {
namespace {

using Json = nlohmann::ordered_json;
constexpr int schema_version = 1;

Json to_json(const CheckResult& result) {
  const CheckEntry* entry = Registry::built_in().find(result.id);
  return {{"id", result.id},
          {"coordinates", result.coordinates},
          {"slug", entry == nullptr ? "" : entry->slug},
          {"severity", entry == nullptr ? "" : std::string(to_string(entry->severity))},
          {"outcome", std::string(to_string(result.outcome))},
          {"reason", result.reason},
          {"evidence", result.evidence}};
}

Json counts(const PluginReport& report) {
  Json summary;
  for (auto outcome : {Outcome::pass, Outcome::fail, Outcome::crashed, Outcome::timed_out, Outcome::warn,
                       Outcome::not_applicable, Outcome::not_run}) {
    std::size_t count = 0;
    for (const auto& result : report.results) count += result.outcome == outcome ? 1 : 0;
    summary[std::string(to_string(outcome))] = count;
  }
  return summary;
}

Json to_json(const PluginReport& report) {
  Json plugin{
      {"file", report.file},
      {"sha256", report.sha256},
      {"descriptor_sha256", report.descriptor_sha256},
      {"id", report.id},
      {"name", report.name},
      {"version", report.version},
      {"spi",
       {{"major", report.spi_major}, {"built_minor", report.spi_built_minor}, {"min_minor", report.spi_min_minor}}},
      {"transport", report.transport},
      {"protocol", report.protocol},
      {"provider", report.provider},
      {"dialect",
       {{"id", report.dialect}, {"version", report.dialect_version}, {"provider_version", report.provider_version}}},
      {"seed", report.seed}};
  if (report.load_failure) {
    plugin["load_failure"] = {{"stage", std::string(to_string(report.load_failure->stage))},
                              {"reason", report.load_failure->reason},
                              {"text", report.load_failure->text},
                              {"hint", report.load_failure->hint}};
  }
  plugin["verdict"] = std::string(to_string(report.verdict));
  plugin["summary"] = counts(report);
  plugin["checks"] = Json::array();
  for (const auto& result : report.results) plugin["checks"].push_back(to_json(result));
  plugin["matrix"] = Json::array();
  for (const auto& cell : report.matrix) {
    plugin["matrix"].push_back(
        {{"kind", cell.kind}, {"mode", cell.mode}, {"media_type", cell.media_type}, {"state", cell.state}});
  }
  plugin["faults"] = report.faults;
  return plugin;
}

LoadAttempt::Stage stage_from(const std::string& word) {
  using Stage = LoadAttempt::Stage;
  for (auto stage : {Stage::search, Stage::file, Stage::elf, Stage::descriptor, Stage::version, Stage::trust,
                     Stage::probe, Stage::load, Stage::identity, Stage::entry, Stage::describe, Stage::done}) {
    if (to_string(stage) == word) return stage;
  }
  throw std::runtime_error("the result file names an unknown stage");
}

Verdict verdict_from(const std::string& word) {
  for (auto verdict : {Verdict::conformant, Verdict::not_conformant, Verdict::incomplete, Verdict::kit_fault}) {
    if (to_string(verdict) == word) return verdict;
  }
  throw std::runtime_error("the result file names an unknown verdict");
}

CheckResult result_from(const Json& value) {
  const auto outcome = outcome_from_string(value.at("outcome").get<std::string>());
  if (!outcome) throw std::runtime_error("the result file names an unknown outcome");
  return {value.at("id"), value.at("coordinates"), *outcome, value.at("reason"),
          value.at("evidence").get<std::vector<std::string>>()};
}

PluginReport plugin_from(const Json& value, double seconds) {
  PluginReport report;
  report.file = value.at("file");
  report.sha256 = value.at("sha256");
  report.descriptor_sha256 = value.at("descriptor_sha256");
  report.id = value.at("id");
  report.name = value.at("name");
  report.version = value.at("version");
  report.spi_major = value.at("spi").at("major");
  report.spi_built_minor = value.at("spi").at("built_minor");
  report.spi_min_minor = value.at("spi").at("min_minor");
  report.transport = value.at("transport");
  report.protocol = value.at("protocol");
  report.provider = value.at("provider");
  report.dialect = value.at("dialect").at("id");
  report.dialect_version = value.at("dialect").at("version");
  report.provider_version = value.at("dialect").at("provider_version");
  report.seed = value.at("seed");
  if (value.contains("load_failure")) {
    const Json& failure = value["load_failure"];
    LoadAttempt attempt;
    attempt.place = report.file;
    attempt.stage = stage_from(failure.at("stage"));
    attempt.reason = failure.at("reason");
    attempt.text = failure.at("text");
    attempt.hint = failure.at("hint");
    report.load_failure = attempt;
  }
  report.verdict = verdict_from(value.at("verdict"));
  for (const auto& check : value.at("checks")) report.results.push_back(result_from(check));
  for (const auto& cell : value.at("matrix")) {
    report.matrix.push_back({cell.at("kind"), cell.at("mode"), cell.at("media_type"), cell.at("state")});
  }
  report.faults = value.at("faults").get<std::vector<std::string>>();
  report.seconds = seconds;
  return report;
}

}  // namespace

std::string render_json(const std::vector<PluginReport>& reports, std::string_view started) {
  Json document{
      {"schema", schema_version},    {"kit", std::string(kit_version)},
      {"platform", platform_name()}, {"exit_code", exit_code(reports)},
      {"plugins", Json::array()},    {"times", {{"started", std::string(started)}, {"seconds", Json::array()}}}};
  for (const auto& report : reports) {
    document["plugins"].push_back(to_json(report));
    document["times"]["seconds"].push_back(report.seconds);
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<PluginReport> parse_report(std::string_view json) {
  try {
    const Json document = Json::parse(json);
    if (document.at("schema") != schema_version) throw std::runtime_error("the result file is of another version");
    std::vector<PluginReport> reports;
    for (const auto& plugin : document.at("plugins")) {
      reports.push_back(plugin_from(plugin, document.at("times").at("seconds").at(reports.size())));
    }
    return reports;
  } catch (const Json::exception&) {
    throw std::runtime_error("this is no result file of attache-conformance");
  }
}

}  // namespace attache::conformance
