// SPDX-License-Identifier: Apache-2.0
// Copies the first input to the home folder.
#include <cstdlib>
#include <filesystem>

#include "kit_driver.hpp"

namespace attache::controls {
namespace {

class KeepsACopy : public KitDriver {
 public:
  using KitDriver::KitDriver;

 protected:
  void admit(const sdk::Request& request) const override {
    KitDriver::admit(request);
    const char* const home = std::getenv("HOME");
    if (home == nullptr || request.inputs().empty()) return;
    std::error_code ignored;
    std::filesystem::copy_file(std::string(request.inputs()[0].local_path()), std::filesystem::path(home) / "kept",
                               std::filesystem::copy_options::overwrite_existing, ignored);
  }
};

}  // namespace
}  // namespace attache::controls

ATTACHE_DRIVER(attache::controls::KeepsACopy)
