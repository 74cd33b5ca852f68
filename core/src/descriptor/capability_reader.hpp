// SPDX-License-Identifier: Apache-2.0
// The parts of a descriptor that say what a driver takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/descriptor.hpp>

namespace attache {

/// Reads the value of "inputs". All four kinds must be there.
void read_inputs(const nlohmann::ordered_json& value, const std::string& pointer, InputCapabilities& out,
                 std::vector<DescriptorFault>& faults);

/// Reads the value of "limits".
void read_limits(const nlohmann::ordered_json& value, const std::string& pointer, SetLimits& out,
                 std::vector<DescriptorFault>& faults);

struct CapabilitiesParse {
  std::optional<InputCapabilities> capabilities;
  std::vector<DescriptorFault> faults;
};

/// Reads a `{"inputs":…,"limits":…}` document, as `capabilities` of a driver puts it. Without "limits" those of the
/// descriptor stay. Same rules as in a descriptor; that it is a part of the descriptor is for the caller to see to.
CapabilitiesParse parse_capabilities(std::string_view json, const Descriptor& descriptor);

}  // namespace attache
