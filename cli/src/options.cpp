// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include <CLI/CLI.hpp>

#include "config_text.hpp"

namespace attache::cli {
namespace {

// One value an occurrence: `--image a.png "describe"` must not take the prompt as a second file.
CLI::Option* add_repeatable(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                            const std::string& help) {
  return app.add_option(name, values, help)->allow_extra_args(false);
}

}  // namespace

void PlaceOptions::add_to(CLI::App& app) {
  add_repeatable(app, "--driver-dir", directories_, "Look for drivers here first (repeatable)")
      ->type_name("DIR")
      ->check(
          CLI::Validator([](const std::string& value) { return std::string(value.empty() ? "is empty" : ""); }, ""));
}

HostOptions PlaceOptions::host_options() const {
  HostOptions options;
  for (const std::string& directory : directories_) {
    options.directories.push_back(std::filesystem::absolute(directory).lexically_normal());
  }
  return options;
}

void AgentArguments::add_to(CLI::App& app) {
  app.add_option("-d,--driver", id_, "Driver, by its id")->required()->type_name("ID");
  places_.add_to(app);
  auto* text = app.add_option("--config", config_, "Configuration of the driver, a JSON object")->type_name("JSON");
  app.add_option("--config-file", config_file_, "The same, from a file")->type_name("FILE")->excludes(text);
  add_repeatable(app, "-s,--set", settings_, "One field of the configuration (repeatable)")->type_name("KEY=VALUE");
  app.add_option("--workspace", workspace_, "Directory the provider works in")->type_name("DIR");
  app.add_flag("--exact", exact_, "Refuse, or fail, unless the provider keeps every byte");
}

std::string AgentArguments::config(const Descriptor& descriptor) const {
  const std::string base = config_file_.empty() ? config_ : read_config_file(config_file_);
  return merge_config(base.empty() ? "{}" : base, settings_, descriptor.config_schema);
}

Agent AgentArguments::make_agent() const {
  const Host host(places_.host_options());
  const Driver driver = host.driver(id_);
  AgentOptions options;
  options.config = config(driver.descriptor());
  options.fidelity = exact_ ? input::Fidelity::exact : input::Fidelity::any;
  if (!workspace_.empty()) {
    options.workspace = std::filesystem::absolute(workspace_).lexically_normal();
  }
  return {driver, std::move(options)};
}

void InputArguments::add_to(CLI::App& app) {
  app_ = &app;
  const std::string group = "Inputs (repeatable; their order is the order of the turn)";
  add_repeatable(app, "--image", image_, "An image")->type_name("FILE")->group(group);
  add_repeatable(app, "--file", file_, "A document")->type_name("FILE")->group(group);
  add_repeatable(app, "--audio", audio_, "A sound")->type_name("FILE")->group(group);
  add_repeatable(app, "--video", video_, "A film")->type_name("FILE")->group(group);
  add_repeatable(app, "--media-type", media_type_, "Media type of the input before it")
      ->type_name("TYPE")
      ->group(group);
  add_repeatable(app, "--name", name_, "Display name of the input before it")->type_name("NAME")->group(group);
  app.add_option("--require", require_, "Deliver every input in this mode or not at all")
      ->check(CLI::IsMember({"native", "workspace_reference", "provider_url"}))
      ->type_name("MODE")
      ->group(group);
}

std::vector<input::Input> InputArguments::inputs() const {
  std::vector<input::Input> list;
  std::map<const CLI::Option*, std::size_t> taken;
  const std::optional<input::Mode> required = input::mode_from_string(require_);
  for (const CLI::Option* option : app_->parse_order()) {
    const std::string name = option->get_name();
    const std::optional<input::Kind> kind =
        name.starts_with("--") ? input::kind_from_string(name.substr(2)) : std::nullopt;
    if (!kind && name != "--media-type" && name != "--name") {
      continue;
    }
    const std::string value = option->results().at(taken[option]++);
    if (kind) {
      const input::Input next = input::from_path(*kind, value).follow_links();
      list.push_back(required ? next.require(*required) : next);
    } else if (list.empty()) {
      throw CLI::ValidationError(name, "no input stands before it");
    } else {
      list.back() = name == "--name" ? list.back().name(value) : list.back().media_type(value);
    }
  }
  return list;
}

std::uint64_t InputArguments::bytes() const {
  std::uint64_t total = 0;
  for (const auto* paths : {&image_, &file_, &audio_, &video_}) {
    for (const std::string& path : *paths) {
      std::error_code failed;
      const auto size = std::filesystem::file_size(path, failed);
      total += failed ? 0 : size;
    }
  }
  return total;
}

}  // namespace attache::cli
