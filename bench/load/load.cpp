// SPDX-License-Identifier: Apache-2.0
// Goal 12: finding out about a driver and loading it, against dlopen and dlsym of the same file. Each time in a process
// that has not loaded it yet but has what it depends on.
#include <cstring>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <attache/host.hpp>

#include "common/files.hpp"
#include "common/rounds.hpp"

namespace attache::bench {
namespace {

/// Seconds of `work` in a process of its own.
double in_a_child(const Work& work) {
  int ends[2];
  if (::pipe(ends) != 0) give_up("pipe");
  const pid_t child = ::fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    const double took = wall_seconds(work);
    ::_exit(::write(ends[1], &took, sizeof took) == sizeof took ? 0 : 1);
  }
  ::close(ends[1]);
  double took = 0;
  const bool told = ::read(ends[0], &took, sizeof took) == sizeof took;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (!told) give_up("the child said nothing");
  return took;
}

void plain(const char* file) {
  void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || ::dlsym(library, "attache_driver_entry_v1") == nullptr) give_up("dlopen");
}

void loaded(const char* file, bool probe) {
  HostOptions options;
  options.probe = probe;
  try {
    if (Host(options).driver_from_file(file).descriptor().id.empty()) give_up("descriptor");
  } catch (const LoadError& error) {
    give_up(error.report().to_text());
  }
}

void add_file(const std::string& name, const char* file) {
  const auto by_hand = [=] { plain(file); };
  add({"12. load, vet and descriptor of " + name + " (to dlopen + dlsym)", by_hand, [=] { loaded(file, false); },
       Goal{0, 2}, 0, in_a_child, 101});
  add({"    the same with the probe of a file not known to be whole", by_hand, [=] { loaded(file, true); },
       std::nullopt, 0, in_a_child, 101});
  add({"    by static reading only", by_hand, [=] { benchmark::DoNotOptimize(read_plugin_file(file).ok); },
       std::nullopt, 0, in_a_child, 101});
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  stay_on({0});
  add_file("claude", ATTACHE_BENCH_CLAUDE);
  return run_all(argc, argv);
}
