// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/descriptor.hpp>
#include <attache/sdk/spi.h>

#include "descriptor/capability_reader.hpp"
#include "descriptor/object_reader.hpp"
#include "descriptor/semantic_version.hpp"
#include "descriptor/strict_json.hpp"
#include "descriptor/truth_rules.hpp"

namespace attache {
namespace {

using Json = nlohmann::ordered_json;
using Faults = std::vector<DescriptorFault>;
using json::ObjectReader;
using json::Presence;

constexpr std::uint64_t max_minor = 1000;
constexpr std::uint64_t max_parallel_runs = 1024;

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// [a-z][a-z0-9-]{1,62}
bool is_slug(std::string_view text) {
  return text.size() >= 2 && text.size() <= 63 && is_lower(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

/// [a-z][a-z0-9+.-]*
bool is_scheme(std::string_view text) {
  return !text.empty() && is_lower(text.front()) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_lower(c) || is_digit(c) || c == '+' || c == '.' || c == '-';
  });
}

/// [A-Za-z_][A-Za-z0-9_]*
bool is_variable_name(std::string_view text) {
  const auto first = [](char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && first(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return first(c) || is_digit(c); });
}

std::string slug(ObjectReader& reader, std::string_view key) {
  std::string out = reader.text(key, Presence::required, 63);
  if (!out.empty() && !is_slug(out)) reader.fault(key, "must match [a-z][a-z0-9-]{1,62}");
  return out;
}

void read_spi(const Json& value, Descriptor& out, Faults& faults) {
  ObjectReader reader(value, "/spi", faults, {"major", "built_minor", "min_minor"});
  const auto major = reader.number("major", Presence::required, 0, std::numeric_limits<std::uint32_t>::max());
  const auto built = reader.number("built_minor", Presence::required, 0, max_minor);
  const auto least = reader.number("min_minor", Presence::required, 0, max_minor);
  out.spi_major = static_cast<std::uint32_t>(major.value_or(0));
  out.spi_built_minor = static_cast<std::uint32_t>(built.value_or(0));
  out.spi_min_minor = static_cast<std::uint32_t>(least.value_or(0));
  if (major && *major != ATTACHE_SPI_MAJOR) {
    reader.fault("major", fmt::format("says SPI {}, but stands in a descriptor of SPI {}", *major, ATTACHE_SPI_MAJOR));
  }
  if (built && least && *least > *built) reader.fault("min_minor", "is above built_minor");
}

void read_transport(const Json& value, Descriptor& out, Faults& faults) {
  ObjectReader reader(value, "/transport", faults, {"type", "protocol", "option", "test_config"});
  out.transport = reader.word("type", Presence::required, {"process", "http"});
  out.protocol = slug(reader, "protocol");
  out.transport_option = reader.text("option", Presence::required, 128);
  const Json* test_config = reader.get("test_config", Presence::optional);
  if (test_config == nullptr) return;
  if (test_config->is_object()) {
    out.transport_test_config = test_config->dump();
  } else {
    reader.fault("test_config", "must be an object");
  }
}

void read_features(const Json& value, Features& out, Faults& faults) {
  ObjectReader reader(
      value, "/features", faults,
      {"resume", "fork", "cancel", "streaming", "structured_output", "history", "receipts", "url_schemes"});
  out.resume = reader.flag("resume");
  out.fork = reader.flag("fork");
  out.cancel = reader.flag("cancel");
  out.streaming = reader.flag("streaming");
  out.structured_output = reader.flag("structured_output");
  out.history = reader.flag("history");
  out.receipts = reader.flag("receipts");
  out.url_schemes = reader.texts("url_schemes", 16, 32);
  for (std::size_t i = 0; i < out.url_schemes.size(); ++i) {
    if (!is_scheme(out.url_schemes[i])) {
      faults.push_back({json::child("/features/url_schemes", i), "must be the lower-case name of a URL scheme"});
    }
  }
}

void read_identity(ObjectReader& reader, Descriptor& out) {
  reader.number("schema", Presence::required, ATTACHE_DESCRIPTOR_SCHEMA, ATTACHE_DESCRIPTOR_SCHEMA);
  out.id = slug(reader, "id");
  out.name = reader.text("name", Presence::required, 100);
  out.version = reader.text("version", Presence::required, 100);
  if (!out.version.empty() && !is_semantic_version(out.version)) {
    reader.fault("version", "must be a semantic version, such as 1.2.3");
  }
  out.publisher = reader.text("publisher", Presence::optional, 200);
  out.license = reader.text("license", Presence::optional, 100);
}

void read_behaviour(ObjectReader& reader, Descriptor& out, Faults& faults) {
  out.placement = reader.word("placement", Presence::optional, {"granted", "workspace"});
  out.retains_inputs = reader.flag("retains_inputs");
  const auto runs = reader.number("max_parallel_runs", Presence::optional, 1, max_parallel_runs);
  out.max_parallel_runs = static_cast<std::uint32_t>(runs.value_or(1));
  out.environment = reader.texts("environment", 64, 128);
  for (std::size_t i = 0; i < out.environment.size(); ++i) {
    if (!is_variable_name(out.environment[i])) {
      faults.push_back({json::child("/environment", i), "must be the name of an environment variable"});
    }
  }
}

}  // namespace

DescriptorParse parse_descriptor(std::string_view text) {
  DescriptorParse out;
  Json document;
  if (!json::parse_strict(text, ATTACHE_DESCRIPTOR_MAX_LENGTH, document, out.faults)) return out;
  ObjectReader reader(
      document, "", out.faults,
      {"schema", "id", "name", "version", "publisher", "license", "spi", "transport", "inputs", "limits", "placement",
       "features", "retains_inputs", "max_parallel_runs", "config", "environment"});
  if (!document.is_object()) return out;
  Descriptor descriptor;
  read_identity(reader, descriptor);
  if (const Json* spi = reader.get("spi", Presence::required)) read_spi(*spi, descriptor, out.faults);
  if (const Json* part = reader.get("transport", Presence::required)) read_transport(*part, descriptor, out.faults);
  if (const Json* part = reader.get("inputs", Presence::required)) {
    read_inputs(*part, "/inputs", descriptor.inputs, out.faults);
  }
  if (const Json* part = reader.get("limits", Presence::optional)) {
    read_limits(*part, "/limits", descriptor.inputs.limits, out.faults);
  }
  if (const Json* part = reader.get("features", Presence::optional)) {
    read_features(*part, descriptor.features, out.faults);
  }
  read_behaviour(reader, descriptor, out.faults);
  if (const Json* config = reader.get("config", Presence::required)) descriptor.config_schema = config->dump();
  check_truth(descriptor, document, out.faults);
  if (!out.faults.empty()) return out;
  descriptor.json = std::string(text);
  out.descriptor = std::move(descriptor);
  return out;
}

}  // namespace attache
