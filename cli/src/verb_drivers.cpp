// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "layout.hpp"
#include "result_json.hpp"
#include "verbs.hpp"

namespace attache::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kinds{input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video};

std::string modes(const KindCapability& capability) {
  std::string text;
  for (const ModeCapability& mode : capability.modes) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", input::to_string(mode.mode));
  }
  return text.empty() ? "-" : text;
}

std::string details(const ModeCapability& mode) {
  std::string types;
  for (const std::string& type : mode.media_types) {
    types += fmt::format("{}{}", types.empty() ? "" : " ", type);
  }
  std::string text = types.empty() ? "any type (the driver decides)" : types;
  if (mode.max_bytes) {
    text += fmt::format(", at most {}", human_size(*mode.max_bytes));
  }
  if (mode.max_encoded_bytes) {
    text += fmt::format(", at most {} encoded", human_size(*mode.max_encoded_bytes));
  }
  if (mode.max_side_px) {
    text += fmt::format(", sides up to {} px", *mode.max_side_px);
  }
  if (mode.max_count) {
    text += fmt::format(", at most {}", *mode.max_count);
  }
  if (mode.needs_inspection) {
    text += ", if the provider confirms it";
  }
  return text;
}

void print_details(Printer& printer, const Descriptor& descriptor) {
  printer.line(fmt::format("{}: {} {} by {}, {}, protocol {}", descriptor.id, descriptor.name, descriptor.version,
                           descriptor.publisher, descriptor.license, descriptor.protocol));
  for (const input::Kind kind : kinds) {
    const KindCapability& capability = descriptor.inputs.of(kind);
    for (const ModeCapability& mode : capability.modes) {
      printer.line(fmt::format("  {} {}: {}", input::to_string(kind), input::to_string(mode.mode), details(mode)));
    }
    if (capability.modes.empty() && !capability.alternative.empty()) {
      printer.line(fmt::format("  {}: unsupported; instead: {}", input::to_string(kind), capability.alternative));
    }
  }
}

void print_table(Printer& printer, const DriverListing& listing) {
  std::vector<std::vector<std::string>> rows{{"ID", "VERSION", "TRANSPORT", "IMAGE", "FILE", "AUDIO", "VIDEO"}};
  for (const FileReport& file : listing.files) {
    if (!file.descriptor) {
      continue;
    }
    std::vector<std::string> row{file.descriptor->id, file.descriptor->version, file.descriptor->transport};
    for (const input::Kind kind : kinds) {
      row.push_back(modes(file.descriptor->inputs.of(kind)));
    }
    rows.push_back(std::move(row));
  }
  for (const std::string& line : table(rows)) {
    printer.line(line);
  }
}

// What a person should hear of without asking: files that are no usable driver, drivers that another one hides, and
// named places that are not there. An installation without drivers is none of these.
void print_refused(Printer& printer, const DriverListing& listing, const HostOptions& options) {
  for (const LoadAttempt& attempt : listing.report.attempts) {
    const bool named = std::any_of(options.directories.begin(), options.directories.end(),
                                   [&](const auto& directory) { return directory.string() == attempt.place; });
    if (!attempt.reason.empty() && (attempt.stage != LoadAttempt::Stage::search || named || !attempt.id.empty())) {
      printer.note(fmt::format("attache: not listed: {}: {}{}{}", attempt.place, attempt.text,
                               attempt.hint.empty() ? "" : "; ", attempt.hint));
    }
  }
}

void print_report(Printer& printer, const LoadReport& report) {
  std::istringstream lines(report.to_text());
  for (std::string line; std::getline(lines, line);) {
    printer.line(line);
  }
}

Json listing_json(const DriverListing& listing) {
  Json json{{"type", "drivers"}, {"drivers", Json::array()}};
  for (std::size_t at = 0; at < listing.files.size(); ++at) {
    const FileReport& file = listing.files[at];
    if (file.descriptor) {
      json["drivers"].push_back({{"id", file.descriptor->id},
                                 {"path", listing.paths.at(at).string()},
                                 {"sha256", file.sha256},
                                 {"descriptor", Json::parse(file.descriptor->json, nullptr, false)}});
    }
  }
  json["places"] = report_json(listing.report);
  return json;
}

}  // namespace

CLI::App* DriversVerb::add_to(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("drivers", "List the drivers that can be found, and what they take");
  places_.add_to(*verb);
  verb->add_flag("--json", json_, "One JSON document instead of a table");
  verb->add_flag("-v,--verbose", verbose_, "Also media types and limits");
  verb->add_flag("--why", why_, "Every place that was looked at and what happened there");
  return verb;
}

ExitCode DriversVerb::run(Printer& printer) const {
  const HostOptions options = places_.host_options();
  const DriverListing listing = Host(options).list();
  if (json_) {
    printer.json(listing_json(listing));
    return ExitCode::ok;
  }
  if (why_) {
    print_report(printer, listing.report);
    return ExitCode::ok;
  }
  print_table(printer, listing);
  for (const FileReport& file : listing.files) {
    if (verbose_ && file.descriptor) {
      print_details(printer, *file.descriptor);
    }
  }
  print_refused(printer, listing, options);
  return ExitCode::ok;
}

}  // namespace attache::cli
