// SPDX-License-Identifier: Apache-2.0
// The JSON lines of --json; docs/cli.md documents every field.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <attache/agent.hpp>
#include <attache/event.hpp>
#include <attache/host.hpp>
#include <attache/result.hpp>

namespace attache::cli {

nlohmann::ordered_json event_json(const Event& event);
nlohmann::ordered_json result_json(const Result& result);
nlohmann::ordered_json plan_json(const Plan& plan);
nlohmann::ordered_json report_json(const LoadReport& report);

}  // namespace attache::cli
