// SPDX-License-Identifier: Apache-2.0
// Goal 12: loading, vetting and describing each shipped driver, against dlopen and dlsym of the same file. A library
// stays loaded, so each case has a process of its own. The libraries that the drivers depend on are not counted, nor
// what they do at their first use: this program has and uses them too.
#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <attache/host.hpp>

#include "loader/load_driver.hpp"
#include "loader/probe_child.hpp"
#include "loader/static_checks.hpp"
#include "support/affinity.hpp"
#include "support/child.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

constexpr double kMicro = 1e6;

void open_plainly(const std::filesystem::path& file) {
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr || ::dlsym(library, "attache_driver_entry_v1") == nullptr) {
    throw std::runtime_error("the driver cannot be opened");
  }
}

/// The goal is about what the checks cost, and they are all made; a build directory may fail them.
HostOptions options() {
  HostOptions out;
  out.prefix = build_prefix();
  out.allow_other_owners = true;
  out.allow_writable_by_others = true;
  return out;
}

void expect(const StepResult& result) {
  if (result.failed()) throw std::runtime_error("the driver is refused: " + result.reason);
}

/// Copies of a driver: a library stays loaded, and the same file would be the same library.
struct Copies {
  explicit Copies(const std::filesystem::path& driver) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      files.at(i) = scratch.path() / (std::to_string(i) + ".so");
      std::filesystem::copy_file(driver, files.at(i));
    }
  }
  Scratch scratch{Where::disk};
  std::array<std::filesystem::path, 4> files;
};

struct Load {
  double checks = 0, all = 0;
};

Load load(const std::filesystem::path& file) {
  const Stopwatch watch;
  const StaticCheck check = check_statically(file, options());
  const double checks = watch.elapsed().wall;
  expect(check.result);
  LoadedDriver loaded;
  expect(load_in_process(check, loaded));
  return {checks, watch.elapsed().wall};
}

/// In a process of its own, where few libraries are loaded. The first of each kind is not counted.
std::vector<double> in_new_process(const Copies& copies) {
  return in_fork([&] {
    load(copies.files[0]);
    open_plainly(copies.files[1]);
    const Load took = load(copies.files[2]);
    const double plain = time_of([&] { open_plainly(copies.files[3]); }).wall;
    return std::vector{plain, took.checks, took.all};
  });
}

Work loading(const std::filesystem::path& driver) {
  pin_to(processors().front());
  return [copies = std::make_shared<Copies>(driver)] {
    const std::vector<double> took = in_new_process(*copies);
    return Round{took.at(2) / took.at(0),
                 took.at(2),
                 {{"plain_us", took.at(0) * kMicro}, {"checks_us", took.at(1) * kMicro}, {"us", took.at(2) * kMicro}}};
  };
}

Work probing(const std::filesystem::path& driver) {
  unpin();
  return [driver] {
    const double took =
        time_of([&] {
          expect(probe_in_child(build_prefix() / "libexec/attache/attache-probe", driver, probe_time_limit));
        }).wall;
    return Round{took * 1e3, took, {}};
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
    add(name, 51, at_most(12, 2, "times dlopen + dlsym"), [file] { return loading(file); });
    add(name + "/probe in a child", 21, at_most(12, 5, "ms"), [file] { return probing(file); });
  }
  return run_all(argc, argv);
}
