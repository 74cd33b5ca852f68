// SPDX-License-Identifier: Apache-2.0
// Goal 3: whole processes. This program with --take FILE BASE materializes one file, as against `cp` and a tool that
// hashes the copy. Both remove it in the end.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "materialize/taker.hpp"
#include "support/affinity.hpp"
#include "support/child.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t kSize = std::size_t{256} << 20;

Took run(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  return time_of([&] { PlainChild(program, arguments).finish(); });
}

Work against(const std::string& hasher) {
  pin_to(processors().front());
  struct Bench {
    Scratch scratch{Where::disk};
    std::filesystem::path file = scratch.file("one", kSize), base = scratch.base(), copy = scratch.path() / "copy";
  };
  return [bench = std::make_shared<Bench>(), hasher] {
    const std::string shell = "cp '" + bench->file.native() + "' '" + bench->copy.native() + "' && " + hasher + " '" +
                              bench->copy.native() + "' && rm '" + bench->copy.native() + "'";
    const double other = run("/bin/sh", {"-c", shell}).wall;
    const double took = run(beside_us("bench_whole_copy"), {"--take", bench->file.native(), bench->base.native()}).wall;
    return Round{other / took, took, {{"other_ms", other * 1e3}}};
  };
}

int take(const char* file, const char* base) {
  const Taker taker(base);
  taker.take({as_path(file)}).remove();
  return 0;
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  if (argc == 4 && std::string_view(argv[1]) == "--take") return take(argv[2], argv[3]);
  add("whole_copy/256 MiB/cp + openssl dgst", 7, at_least(3, 1.5, "times as fast"),
      [] { return against("openssl dgst -sha256"); });
  add("whole_copy/256 MiB/cp + sha256sum", 7, at_least(3, 3.5, "times as fast"), [] { return against("sha256sum"); });
  return run_all(argc, argv);
}
