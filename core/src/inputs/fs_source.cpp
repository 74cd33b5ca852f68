// SPDX-License-Identifier: Apache-2.0
#include "inputs/reader_source.hpp"

namespace attache::inputs {

bool is_path_in_file_system(std::string_view path) noexcept {
  if (path.find('\0') != std::string_view::npos) return false;
  for (;;) {
    const auto slash = path.find('/');
    const std::string_view component = path.substr(0, slash);
    if (component.empty() || component == "." || component == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

std::unique_ptr<Source> open_file_of(const input::FileOf& file, const std::stop_token& stop) {
  // Without a slash, npos + 1 is the start.
  return open_reader([&] { return file.files->open(file.path, stop); }, file.path.substr(file.path.rfind('/') + 1));
}

}  // namespace attache::inputs
