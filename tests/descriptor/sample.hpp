// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <attache/descriptor.hpp>

namespace attache::test {

using Json = nlohmann::ordered_json;

/// A descriptor that uses every key.
inline Json sample() {
  return Json::parse(R"({
    "schema": 1, "id": "sample", "name": "Sample", "version": "1.2.3-rc.1+build.5", "publisher": "Somebody",
    "license": "Apache-2.0", "spi": {"major": 1, "built_minor": 4, "min_minor": 0},
    "transport": {"type": "process", "protocol": "sample-lines", "option": "executable",
                  "test_config": {"model": "test"}},
    "inputs": {
      "image": {"modes": [
        {"mode": "native", "media_types": ["image/png", "image/svg+xml"], "max_count": 100, "max_bytes": 5000000,
         "max_encoded_bytes": 7000000, "max_side_px": 8000, "encoding": "base64",
         "exact": {"max_bytes": 512000, "max_side_px": 2000, "patch_px": 28, "max_patches": 4784},
         "needs_inspection": true},
        {"mode": "provider_url", "media_types": ["image/*"]}], "alternative": "send it as a PDF"},
      "file": {"modes": [{"mode": "native", "media_types": ["application/pdf", "text/*"], "encoding": "base64",
                          "exact": false},
                         {"mode": "workspace_reference"}]},
      "audio": {"modes": [], "alternative": "use another driver"},
      "video": {"modes": []}},
    "limits": {"max_count": 100, "max_total_bytes": 20000000, "max_total_encoded_bytes": 30000000,
               "many_images": {"above": 20, "max_side_px": 2000}},
    "placement": "granted",
    "features": {"resume": true, "fork": true, "cancel": true, "streaming": true, "structured_output": true,
                 "history": true, "receipts": true, "url_schemes": ["https"]},
    "retains_inputs": true, "max_parallel_runs": 8,
    "config": {"type": "object", "required": ["key"], "additionalProperties": false, "properties": {
      "executable": {"type": "string", "minLength": 1, "maxLength": 4096, "default": "sample"},
      "model": {"type": "string", "title": "Model", "description": "Which one", "examples": ["a", "b"]},
      "key": {"type": "string", "secret": true, "volatile": true},
      "effort": {"type": "integer", "minimum": 1, "maximum": 3},
      "kind": {"enum": ["x", "y"]}, "fixed": {"const": 7},
      "list": {"type": "array", "items": {"type": "boolean"}}}},
    "environment": ["SAMPLE_KEY"]})");
}

inline DescriptorParse parse(const Json& document) {
  return parse_descriptor(document.dump());
}

inline bool has_fault(const std::vector<DescriptorFault>& faults, std::string_view pointer) {
  return std::any_of(faults.begin(), faults.end(), [&](const DescriptorFault& f) { return f.pointer == pointer; });
}

inline std::string listing(const std::vector<DescriptorFault>& faults) {
  std::string out;
  for (const DescriptorFault& fault : faults) out += fault.pointer + ": " + fault.text + "\n";
  return out;
}

}  // namespace attache::test
