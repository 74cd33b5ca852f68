// SPDX-License-Identifier: Apache-2.0
#include "loader/registry.hpp"

#include <algorithm>

namespace attache {

std::shared_ptr<const LoadedDriver> Registry::find_file(const FileFacts& facts) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(drivers_.begin(), drivers_.end(), [&](const auto& driver) {
    return driver->facts.device == facts.device && driver->facts.inode == facts.inode;
  });
  return found == drivers_.end() ? nullptr : *found;
}

std::shared_ptr<const LoadedDriver> Registry::find_id(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(drivers_.begin(), drivers_.end(), [&](const auto& driver) { return driver->descriptor.id == id; });
  return found == drivers_.end() ? nullptr : *found;
}

void Registry::add(std::shared_ptr<const LoadedDriver> driver) {
  const std::lock_guard lock(mutex_);
  drivers_.push_back(std::move(driver));
}

void Registry::keep(std::shared_ptr<void> library) {
  const std::lock_guard lock(mutex_);
  libraries_.push_back(std::move(library));
}

Registry& registry() {
  static auto* const instance = new Registry;
  return *instance;
}

}  // namespace attache
