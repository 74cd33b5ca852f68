// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "loader/loaded_driver.hpp"

namespace attache {

Driver::Driver(std::shared_ptr<const LoadedDriver> loaded) noexcept : loaded_(std::move(loaded)) {}

const Descriptor& Driver::descriptor() const noexcept {
  return loaded_->descriptor;
}

const std::filesystem::path& Driver::path() const noexcept {
  return loaded_->path;
}

const LoadedDriver& DriverAccess::get(const Driver& driver) noexcept {
  return *driver.loaded_;
}

Driver DriverAccess::make(std::shared_ptr<const LoadedDriver> loaded) noexcept {
  return Driver(std::move(loaded));
}

}  // namespace attache
