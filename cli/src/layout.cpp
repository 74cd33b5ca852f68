// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "terminal_text.hpp"

namespace attache::cli {
namespace {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }));
}

}  // namespace

std::string human_size(std::uint64_t bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) {
    return fmt::format("{} B", bytes);
  }
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, units.at(unit));
}

std::vector<std::string> table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    auto& line = cells.emplace_back();
    for (const std::string& cell : row) {
      line.push_back(one_line(cell));
      widths.resize(std::max(widths.size(), line.size()));
      widths[line.size() - 1] = std::max(widths[line.size() - 1], width(line.back()));
    }
  }
  std::vector<std::string> lines;
  for (const auto& row : cells) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      line += row[column];
      if (column + 1 < row.size()) {
        line.append(widths[column] - width(row[column]) + 2, ' ');
      }
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace attache::cli
