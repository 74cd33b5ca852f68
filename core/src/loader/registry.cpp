// SPDX-License-Identifier: Apache-2.0
#include "loader/registry.hpp"

#include <algorithm>

namespace attache {

std::shared_ptr<const LoadedDriver> Registry::find_file(const FileFacts& facts) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.device == facts.device && entry.inode == facts.inode;
  });
  return found == entries_.end() ? nullptr : found->driver;
}

std::shared_ptr<const LoadedDriver> Registry::find_id(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.driver->descriptor.id == id; });
  return found == entries_.end() ? nullptr : found->driver;
}

void Registry::add(const FileFacts& facts, std::shared_ptr<const LoadedDriver> driver) {
  const std::lock_guard lock(mutex_);
  entries_.push_back(Entry{facts.device, facts.inode, std::move(driver)});
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
