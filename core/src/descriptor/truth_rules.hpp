// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <attache/descriptor.hpp>

namespace attache {

/// The rules that hold between different parts of a descriptor: one that contradicts itself is refused.
void check_truth(const Descriptor& descriptor, const nlohmann::ordered_json& document,
                 std::vector<DescriptorFault>& faults);

}  // namespace attache
