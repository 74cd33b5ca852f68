// SPDX-License-Identifier: Apache-2.0
// What a driver is asked outside of runs.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "descriptor/strict_json.hpp"
#include "redact/redactor.hpp"
#include "run/driver_words.hpp"
#include "run/instance.hpp"
#include "spi/host_table.hpp"
#include "spi/read_struct.hpp"
#include "spi/text.hpp"

namespace attache::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_inspection = std::size_t{1} << 20;

/// What is left when an inspection told nothing of inputs: nothing that waits for one.
InputCapabilities without_unconfirmed(InputCapabilities all) {
  for (const auto kind : {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video}) {
    std::vector<ModeCapability>& modes = all.of(kind).modes;
    const auto waits = [](const ModeCapability& mode) { return mode.needs_inspection; };
    modes.erase(std::remove_if(modes.begin(), modes.end(), waits), modes.end());
  }
  return all;
}

}  // namespace

std::shared_ptr<const Effective> Instance::effective() const {
  std::lock_guard lock(mutex_);
  return effective_;
}

std::string Instance::inspect() {
  std::lock_guard alone(inspecting_);
  return inspect_now();
}

std::shared_ptr<const Effective> Instance::inspected() {
  std::lock_guard alone(inspecting_);
  if (!effective()->inspected && spi::driver_function(table_, &attache_driver::inspect) != nullptr) {
    inspect_now();
  }
  return effective();
}

std::string Instance::inspect_now() {
  const auto function = spi::driver_function(table_, &attache_driver::inspect);
  if (function == nullptr) {
    return "{}";
  }
  std::string document = ask(function, "inspection");
  Json found;
  std::vector<DescriptorFault> faults;
  if (!json::parse_strict(document, longest_inspection, found, faults) || !found.is_object()) {
    throw Error(errc::driver_contract, "inspection_invalid",
                fmt::format("the inspection of driver {} is no JSON object", descriptor().id));
  }
  Effective next{without_unconfirmed(capabilities_), true};
  if (found.contains("inputs")) {
    const Json told{{"inputs", found["inputs"]}, {"limits", found.value("limits", Json::object())}};
    next.capabilities = part_of(capabilities_, told.dump(), "inspection");
  }
  std::lock_guard lock(mutex_);
  effective_ = std::make_shared<const Effective>(std::move(next));
  redact::Guard guard;
  guard.secrets = secrets();
  return redact::Redactor(guard).guarded_json(document);
}

void Instance::prepare() {
  if (const auto function = spi::driver_function(table_, &attache_driver::prepare); function != nullptr) {
    ask(function, "preparation");
  }
}

std::string Instance::ask(Ask function, const char* what) {
  const spi::Sink sink;
  const attache_status status = function(handle_, sink.handle());
  if (status == ATTACHE_OK) {
    return sink.document().value_or("");
  }
  const spi::DriverError told = sink.error().value_or(spi::DriverError{});
  diagnose(diagnostics_, "driver",
           fmt::format("{} failed: {}: {}", what, told.reason, spi::safe_line(told.text, spi::longest_error_text)));
  throw Error(code_of(status), told.reason.empty() ? "unspecified" : told.reason,
              fmt::format("the {} of driver {} failed: {}", what, descriptor().id,
                          told.text.empty() ? "it gave no reason" : without_values(config_, told.text)));
}

}  // namespace attache::run
