// SPDX-License-Identifier: Apache-2.0
// The capability matrix: what was declared, and what the wire showed of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <attache/descriptor.hpp>

#include "check/plugin_report.hpp"

namespace attache::conformance {

inline constexpr input::Kind all_kinds[] = {input::Kind::image, input::Kind::file, input::Kind::audio,
                                            input::Kind::video};

/// A cell of WIRE-101: what is sent and how.
struct Cell {
  input::Kind kind{};
  input::Mode mode{};
  std::string media_type;

  std::string text() const;
  /// The inverse of text(). Throws std::invalid_argument.
  static Cell parse(const std::string& text);
};

/// Every declared kind, mode and type that can be tried; "type/*" and an absent list stand for the types the kit makes.
std::vector<Cell> declared_cells(const Descriptor& descriptor);

/// Rows for all kinds, declared or not, judged by the results for WIRE-101, with a real provider for REAL-701 and 702.
std::vector<MatrixCell> make_matrix(const Descriptor& descriptor, const PluginReport& report);

/// Why the file could not be loaded, as the loader would say it.
LoadAttempt load_failure(const std::filesystem::path& plugin, const FileReport& file);

}  // namespace attache::conformance
