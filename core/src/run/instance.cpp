// SPDX-License-Identifier: Apache-2.0
#include "run/instance.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "descriptor/capability_reader.hpp"
#include "descriptor/config_schema.hpp"
#include "loader/loaded_driver.hpp"
#include "redact/pattern_set.hpp"
#include "run/narrow.hpp"
#include "spi/host_table.hpp"
#include "spi/read_struct.hpp"

namespace attache::run {
namespace {

Error contract(std::string reason, const std::string& text) {
  return {errc::driver_contract, std::move(reason), text};
}

void add_texts(const nlohmann::json& value, redact::PatternSet& patterns) {
  if (value.is_string()) {
    patterns.add(value.get_ref<const std::string&>(), "[value]");
  }
  if (value.is_structured()) {
    for (const nlohmann::json& member : value) {
      add_texts(member, patterns);
    }
  }
}

/// A driver's sentence about a configuration, without any text that stands in it: it may be a secret.
std::string without_values(const std::string& config, std::string_view text) {
  redact::PatternSet patterns;
  add_texts(nlohmann::json::parse(config, nullptr, false), patterns);
  return redact::StreamRedactor::apply(patterns, text);
}

void check_options(const Descriptor& descriptor, const AgentOptions& options) {
  const std::vector<DescriptorFault> faults = check_config(descriptor, options.config);
  if (!faults.empty()) {
    const std::string& pointer = faults.front().pointer;
    throw Error(errc::config_invalid, "config_invalid",
                fmt::format("the configuration of driver {} is wrong at \"{}\": {}", descriptor.id, pointer,
                            faults.front().text));
  }
  if (!options.workspace.empty()) {
    std::error_code failed;
    if (!options.workspace.is_absolute() || !std::filesystem::is_directory(options.workspace, failed)) {
      throw Error(errc::config_invalid, "workspace_invalid", "the workspace must be an absolute path of a directory");
    }
  }
  if (options.forbid_retention && descriptor.retains_inputs) {
    throw Error(errc::option_unsupported, "retention",
                fmt::format("driver {} cannot keep its provider from keeping inputs", descriptor.id));
  }
}

}  // namespace

std::shared_ptr<Instance> Instance::create(const Driver& driver, const AgentOptions& options) {
  const Descriptor& descriptor = driver.descriptor();
  check_options(descriptor, options);
  const attache_driver& table = *DriverAccess::get(driver).table;
  const auto create = spi::driver_function(table, &attache_driver::create);
  const bool complete = create != nullptr && spi::driver_function(table, &attache_driver::destroy) != nullptr &&
                        spi::driver_function(table, &attache_driver::run) != nullptr &&
                        spi::driver_function(table, &attache_driver::cancel) != nullptr;
  if (!complete) {
    throw contract("function_missing", fmt::format("driver {} lacks a function that is not optional", descriptor.id));
  }
  std::shared_ptr<Instance> made(new Instance(driver, table));
  const spi::Sink sink;
  const attache_span config = spi::span_of(options.config);
  const attache_status status = create(&config, sink.handle(), &made->handle_);
  if (status != ATTACHE_OK) {
    made->handle_ = nullptr;
    const spi::DriverError told = sink.error().value_or(spi::DriverError{});
    throw Error(status == ATTACHE_INVALID ? errc::config_invalid : errc::internal,
                told.reason.empty() ? "unspecified" : told.reason,
                fmt::format("driver {} did not take the configuration: {}", descriptor.id,
                            told.text.empty() ? "it gave no reason" : without_values(options.config, told.text)));
  }
  if (made->handle_ == nullptr) {
    throw contract("instance_missing", fmt::format("driver {} created no instance", descriptor.id));
  }
  made->ask_capabilities();
  return made;
}

Instance::~Instance() {
  if (handle_ != nullptr) {
    spi::driver_function(table_, &attache_driver::destroy)(handle_);
  }
}

void Instance::ask_capabilities() {
  capabilities_ = descriptor().inputs;
  const auto ask = spi::driver_function(table_, &attache_driver::capabilities);
  if (ask == nullptr) {
    return;
  }
  const spi::Sink sink;
  if (ask(handle_, sink.handle()) != ATTACHE_OK) {
    throw Error(errc::internal, "capabilities_failed",
                fmt::format("driver {} could not tell its capabilities", descriptor().id));
  }
  const CapabilitiesParse parse = parse_capabilities(sink.document().value_or(""), descriptor());
  if (!parse.capabilities.has_value()) {
    throw contract("capabilities_invalid",
                   fmt::format("the capabilities of driver {} are wrong at \"{}\"", descriptor().id,
                               parse.faults.empty() ? "" : parse.faults.front().pointer));
  }
  std::string fault;
  const std::optional<InputCapabilities> narrowed = narrow(descriptor().inputs, *parse.capabilities, fault);
  if (!narrowed.has_value()) {
    throw contract("capabilities_widened",
                   fmt::format("driver {} claims more than its descriptor for {}", descriptor().id, fault));
  }
  capabilities_ = *narrowed;
}

attache_status Instance::run(const attache_request& request, attache_run run) const {
  return spi::driver_function(table_, &attache_driver::run)(handle_, &request, run);
}

void Instance::cancel(attache_run run) const {
  spi::driver_function(table_, &attache_driver::cancel)(handle_, run);
}

}  // namespace attache::run
