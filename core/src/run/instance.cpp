// SPDX-License-Identifier: Apache-2.0
#include "run/instance.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "descriptor/capability_reader.hpp"
#include "descriptor/config_schema.hpp"
#include "loader/loaded_driver.hpp"
#include "redact/secrets.hpp"
#include "run/driver_words.hpp"
#include "run/narrow.hpp"
#include "spi/host_table.hpp"
#include "spi/read_struct.hpp"
#include "spi/text.hpp"

namespace attache::run {
namespace {

Error contract(std::string reason, const std::string& text) {
  return {errc::driver_contract, std::move(reason), text};
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
  std::shared_ptr<Instance> made(new Instance(driver, table, options));
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
  if (const auto ask = spi::driver_function(table_, &attache_driver::capabilities); ask != nullptr) {
    const spi::Sink sink;
    if (ask(handle_, sink.handle()) != ATTACHE_OK) {
      const spi::DriverError told = sink.error().value_or(spi::DriverError{});
      diagnose(
          diagnostics_, "driver",
          fmt::format("capabilities failed: {}: {}", told.reason, spi::safe_line(told.text, spi::longest_error_text)));
      throw Error(errc::internal, "capabilities_failed",
                  fmt::format("driver {} could not tell its capabilities", descriptor().id));
    }
    capabilities_ = part_of(descriptor().inputs, sink.document().value_or(""), "capabilities");
  }
  effective_ = std::make_shared<const Effective>(Effective{capabilities_, false});
}

InputCapabilities Instance::part_of(const InputCapabilities& whole, std::string_view document, const char* what) const {
  const CapabilitiesParse parse = parse_capabilities(document, descriptor());
  if (!parse.capabilities.has_value()) {
    const DescriptorFault fault = parse.faults.empty() ? DescriptorFault{} : parse.faults.front();
    diagnose(diagnostics_, "driver", fmt::format("{} wrong at \"{}\": {}", what, fault.pointer, fault.text));
    throw contract(fmt::format("{}_invalid", what), fmt::format("what driver {} tells as its {} is wrong at \"{}\"",
                                                                descriptor().id, what, fault.pointer));
  }
  std::string fault;
  const std::optional<InputCapabilities> narrowed = narrow(whole, *parse.capabilities, fault);
  if (!narrowed.has_value()) {
    throw contract(fmt::format("{}_widened", what),
                   fmt::format("driver {} claims more than it may for {}", descriptor().id, fault));
  }
  return *narrowed;
}

std::vector<std::string> Instance::secrets() const {
  std::vector<std::string> all = redact::config_secrets(descriptor(), config_);
  for (std::string& secret : redact::environment_secrets(descriptor())) {
    all.push_back(std::move(secret));
  }
  return all;
}

attache_status Instance::run(const attache_request& request, attache_run run) const {
  return spi::driver_function(table_, &attache_driver::run)(handle_, &request, run);
}

void Instance::cancel(attache_run run) const {
  spi::driver_function(table_, &attache_driver::cancel)(handle_, run);
}

}  // namespace attache::run
