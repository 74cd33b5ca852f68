// SPDX-License-Identifier: Apache-2.0
// Goal 12: loading, vetting and describing each shipped driver, against dlopen and dlsym of the same file. A library
// stays loaded, so each case has a process of its own. The libraries that the drivers depend on are not counted, nor
// what they do at their first use: this program has and uses them too.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <attache/host.hpp>
#include <attache/sdk/sha256.hpp>
#include <attache/sdk/spi.h>

#include "support/affinity.hpp"
#include "support/child.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"

namespace attache::bench {
namespace {

constexpr double kMicro = 1e6;

double open_plainly(const std::filesystem::path& file) {
  return time_of([&] {
           void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
           if (library == nullptr || ::dlsym(library, "attache_driver_entry_v1") == nullptr) {
             throw std::runtime_error("the driver cannot be opened");
           }
         })
      .wall;
}

HostOptions options(bool probe) {
  HostOptions out;
  out.prefix = build_prefix();
  out.probe = probe;
  // The build directory is what it is; the goal is about the cost of the checks, which are made all the same.
  out.allow_other_owners = true;
  out.allow_writable_by_others = true;
  return out;
}

double load(const std::filesystem::path& file, bool probe) {
  return time_of([&] {
           if (Host(options(probe)).driver_from_file(file).descriptor().id.empty()) {
             throw std::runtime_error("a driver without an id");
           }
         })
      .wall;
}

Work loading(const std::filesystem::path& file, bool probe) {
  pin_to(processors().front());
  sdk::sha256("");  // OpenSSL reads its configuration at its first use
  return [file, probe] {
    const double plain = in_fork([&] { return std::vector{open_plainly(file)}; }).at(0);
    const double took = in_fork([&] { return std::vector{load(file, probe)}; }).at(0);
    return Round{took / plain, took, {{"plain_us", plain * kMicro}, {"us", took * kMicro}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  for (const auto& entry : std::filesystem::directory_iterator(build_prefix() / "lib/attache/drivers")) {
    const std::filesystem::path file = entry.path();
    if (file.extension() != ".so") continue;
    const std::string name = "load/" + file.stem().native();
    add(name + "/checked", 51, at_most(12, 2, "times dlopen + dlsym"), [file] { return loading(file, false); });
    add(name + "/checked and probed in a child", 51, no_goal("times dlopen + dlsym"),
        [file] { return loading(file, true); });
  }
  return run_all(argc, argv);
}
