// SPDX-License-Identifier: Apache-2.0
#include "loader/static_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <attache/sdk/spi.h>

#include "loader/file_policy.hpp"
#include "loader/plugin_file.hpp"
#include "loader/sanitizer.hpp"

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

Stage stage_of(std::string_view reason) {
  if (reason == "not_found" || reason == "not_regular" || reason == "unreadable") return Stage::file;
  if (reason == "no_descriptor" || reason == "descriptor_invalid") return Stage::descriptor;
  return reason == "other_spi_major" ? Stage::version : Stage::elf;
}

StepResult check_version(const Descriptor& descriptor) {
  // Spelled so that it stays right once ATTACHE_SPI_MINOR is above zero.
  const std::uint32_t host_minor = ATTACHE_SPI_MINOR;
  if (descriptor.spi_min_minor <= host_minor) return {};
  return {Stage::version, "spi_minor_too_new",
          fmt::format("the driver needs SPI {0}.{1} or later, this host implements SPI {2}.{3}", descriptor.spi_major,
                      descriptor.spi_min_minor, ATTACHE_SPI_MAJOR, host_minor),
          fmt::format("use a host that implements SPI {}.{}, or an earlier build of the driver", descriptor.spi_major,
                      descriptor.spi_min_minor)};
}

StepResult check_trust(const FileReport& report, const HostOptions& options) {
  if (!options.trusted_sha256.empty() && !trusts(options, report.sha256)) {
    return {Stage::trust, "not_trusted", fmt::format("the file's SHA-256 {} is not on the host's list", report.sha256),
            "add the digest to HostOptions::trusted_sha256, once you know where the file comes from"};
  }
  const auto relative = [](const std::string& path) { return !path.starts_with('/') && !path.starts_with("$ORIGIN"); };
  if (std::any_of(report.run_paths.begin(), report.run_paths.end(), relative)) {
    return {Stage::trust, "relative_run_path", "the driver looks for libraries in the current directory",
            "build it with attache_add_driver(), or remove the run path"};
  }
  return {};
}

StepResult check_report(const FileReport& report, const HostOptions& options) {
  if (!report.ok) return {stage_of(report.reason), report.reason, report.text, report.hint};
  StepResult result = check_version(*report.descriptor);
  if (!result.failed()) result = check_sanitizers(report);
  if (!result.failed()) result = check_trust(report, options);
  return result;
}

}  // namespace

void add_digest(StaticCheck& check, const HostOptions& options) {
  if (check.result.failed() || !check.report.sha256.empty()) return;
  add_digest(*check.file, check.report);
  check.result = check_report(check.report, options);
}

bool trusts(const HostOptions& options, std::string_view sha256) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::any_of(options.trusted_sha256.begin(), options.trusted_sha256.end(), [&](const std::string& digest) {
    return std::equal(digest.begin(), digest.end(), sha256.begin(), sha256.end(),
                      [&](char a, char b) { return lower(a) == b; });
  });
}

StaticCheck check_statically(const std::filesystem::path& path, const HostOptions& options) {
  StaticCheck out;
  BoundedFile::Opened opened = BoundedFile::open(path);
  if (!opened.file) {
    out.report = unopened(opened.reason);
    out.result = check_report(out.report, options);
    return out;
  }
  out.file = std::move(opened.file);
  out.result = check_file(*out.file, options);
  if (out.result.failed()) return out;
  out.report = read_plugin_file(*out.file);
  if (!options.trusted_sha256.empty()) add_digest(*out.file, out.report);
  out.result = check_report(out.report, options);
  return out;
}

}  // namespace attache
