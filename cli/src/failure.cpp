// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/host.hpp>
#include <attache/result.hpp>

#include "result_json.hpp"

namespace attache::cli {
namespace {

std::optional<InputErrorFields> input_fields(const Error& error) {
  if (const auto* run = dynamic_cast<const RunError*>(&error)) {
    return run->input();
  }
  const auto* input = dynamic_cast<const InputError*>(&error);
  if (input == nullptr) {
    return std::nullopt;
  }
  InputErrorFields fields;
  fields.index = input->index();
  fields.kind = input->kind();
  fields.media_type = input->media_type();
  fields.driver = input->driver();
  fields.limit = input->limit();
  fields.limit_owner = input->limit_owner();
  fields.alternative = input->alternative();
  return fields;
}

std::string where(const InputErrorFields& fields) {
  std::string line = fields.index ? fmt::format("about input {}", *fields.index + 1) : "about the inputs together";
  if (fields.kind) {
    line += fmt::format(", {}", input::to_string(*fields.kind));
  }
  if (!fields.media_type.empty()) {
    line += fmt::format(" {}", fields.media_type);
  }
  if (fields.limit) {
    line += fmt::format("; the limit is {}{}", *fields.limit,
                        fields.limit_owner.empty() ? "" : fmt::format(" (of the {})", fields.limit_owner));
  }
  return line;
}

std::string advice(const Error& error) {
  if (retry_safe(error)) {
    return "nothing was sent; it is safe to correct this and run again";
  }
  const auto* run = dynamic_cast<const RunError*>(&error);
  const std::string_view state = run == nullptr ? "not known" : to_string(run->delivery());
  return fmt::format("delivery: {}; running again may send it twice", state);
}

void add_fields(nlohmann::ordered_json& json, const InputErrorFields& fields) {
  json["index"] = fields.index ? nlohmann::ordered_json(*fields.index) : nlohmann::ordered_json(nullptr);
  if (fields.kind) {
    json["kind"] = input::to_string(*fields.kind);
  }
  if (!fields.media_type.empty()) {
    json["media_type"] = fields.media_type;
  }
  if (!fields.driver.empty()) {
    json["driver"] = fields.driver;
  }
  if (fields.limit) {
    json["limit"] = *fields.limit;
    json["limit_owner"] = fields.limit_owner;
  }
  if (!fields.alternative.empty()) {
    json["alternative"] = fields.alternative;
  }
}

}  // namespace

ExitCode exit_code(const Error& error) noexcept {
  switch (error.code()) {
    case errc::driver_not_found:
    case errc::driver_refused:
      return ExitCode::driver_missing;
    case errc::config_invalid:
    case errc::option_unsupported:
      return ExitCode::config_invalid;
    case errc::timeout:
      return ExitCode::timeout;
    case errc::cancelled:
      return ExitCode::cancelled;
    default: {
      // A driver may refuse an input as well, after it was entered and before anything was sent.
      const bool refused = input_fields(error).has_value() && retry_safe(error);
      return refused ? ExitCode::input_refused : ExitCode::failed;
    }
  }
}

std::vector<std::string> failure_lines(const Error& error) {
  std::vector<std::string> lines{fmt::format("{} ({}/{})", error.what(), to_string(error.code()), error.reason())};
  if (const auto* load = dynamic_cast<const LoadError*>(&error)) {
    for (const LoadAttempt& attempt : load->report().attempts) {
      lines.push_back(
          fmt::format("{}: {}{}{}", attempt.place, attempt.text, attempt.hint.empty() ? "" : "; ", attempt.hint));
    }
    return lines;
  }
  if (const std::optional<InputErrorFields> fields = input_fields(error)) {
    lines.push_back(where(*fields));
    if (!fields->alternative.empty()) {
      lines.push_back(fmt::format("instead: {}", fields->alternative));
    }
  }
  if (error.code() != errc::cancelled && error.code() != errc::config_invalid) {
    lines.push_back(advice(error));
  }
  return lines;
}

nlohmann::ordered_json failure_json(const Error& error) {
  nlohmann::ordered_json json{
      {"type", "error"},      {"code", to_string(error.code())}, {"reason", error.reason()},
      {"text", error.what()}, {"retry_safe", retry_safe(error)}, {"exit_code", static_cast<int>(exit_code(error))}};
  if (const std::optional<InputErrorFields> fields = input_fields(error)) {
    add_fields(json["input"], *fields);
  }
  if (const auto* load = dynamic_cast<const LoadError*>(&error)) {
    json["places"] = report_json(load->report());
  }
  if (const auto* run = dynamic_cast<const RunError*>(&error)) {
    json["delivery"] = to_string(run->delivery());
    if (run->provider_code != 0) {
      json["provider_code"] = run->provider_code;
    }
    if (!run->request_id.empty()) {
      json["request_id"] = run->request_id;
    }
    json["result"] = result_json(run->result());
  }
  return json;
}

}  // namespace attache::cli
