// SPDX-License-Identifier: Apache-2.0
// Everything the kit found out about one plugin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <attache/host.hpp>

#include "check/result.hpp"

namespace attache::conformance {

enum class Verdict { conformant, not_conformant, incomplete, kit_fault };
std::string_view to_string(Verdict verdict) noexcept;

/// One kind, mode and media type of the driver.
struct MatrixCell {
  std::string kind, mode, media_type;  ///< mode empty: the kind is unsupported
  std::string
      state;  ///< proved(tap), proved(recorder), proved(real), altered(real), disproved, open, unsupported, not run
};

struct PluginReport {
  std::string file;  ///< last component only
  std::string sha256, descriptor_sha256;
  std::string id, name, version, transport, protocol;
  std::uint32_t spi_major = 0, spi_built_minor = 0, spi_min_minor = 0;
  std::string provider = "embedded";  ///< or "real"
  std::string dialect, dialect_version, provider_version;
  std::uint64_t seed = 0;
  std::optional<LoadAttempt> load_failure;  ///< names the plugin as the user did: for the terminal only
  std::vector<CheckResult> results;         ///< in the registry's order
  std::vector<MatrixCell> matrix;
  std::vector<std::string> faults;  ///< of the kit
  Verdict verdict = Verdict::incomplete;
  double seconds = 0;
};

/// 0 conformant, 1 not, 3 incomplete, 4 a fault of the kit; over several plugins the worst: 4, 1, 3, 0.
int exit_code(const std::vector<PluginReport>& reports) noexcept;

}  // namespace attache::conformance
