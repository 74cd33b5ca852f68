// SPDX-License-Identifier: Apache-2.0
#include <attache/sdk/driver.hpp>

namespace {

class Alone : public attache::sdk::Driver {
 public:
  explicit Alone(std::string_view) {}
  void run(const attache::sdk::Request& request, attache::sdk::Run& run) override { run.text(request.prompt()); }
};

}  // namespace

ATTACHE_DRIVER(Alone)
