// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "loader/bounded_file.hpp"
#include "loader/loaded_driver.hpp"

namespace attache {

/// Every library this process has loaded, for as long as it lives. Any thread.
class Registry {
 public:
  /// Held while a library is loaded: one at a time.
  std::mutex& loading() noexcept { return loading_; }
  /// By device and inode.
  std::shared_ptr<const LoadedDriver> find_file(const FileFacts& facts) const;
  std::shared_ptr<const LoadedDriver> find_id(std::string_view id) const;
  void add(std::shared_ptr<const LoadedDriver> driver);
  /// Keeps a library loaded, also one that was refused after it was loaded.
  void keep(std::shared_ptr<void> library);

 private:
  std::mutex loading_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const LoadedDriver>> drivers_;
  std::vector<std::shared_ptr<void>> libraries_;
};

/// The registry of the process. Never destroyed.
Registry& registry();

}  // namespace attache
