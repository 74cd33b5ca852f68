// SPDX-License-Identifier: Apache-2.0
// Goal 10: whole runs with the stand-in CLI, against a bare start of that CLI, and for N bytes with what copying with
// hashing (L) and streaming cost at least.
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "run/agents.hpp"
#include "support/affinity.hpp"
#include "support/child.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/limits.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

const std::string kPrompt = "What is this?";
constexpr int kBareRuns = 20;

void expect(bool good) {
  if (!good) throw std::runtime_error("the stand-in CLI did not answer");
}

/// A turn of the CLI: its start, `line` to it, its answer, its end.
void bare_turn(const std::function<void(int)>& line) {
  PlainChild child(beside_us("bench_sink"), {"--turn"});
  line(child.input());
  expect(child.read_until('\n').find("\"ok\"") != std::string::npos);
  child.finish();
}

void bare_text() {
  bare_turn([](int to) { write_all(to, "{\"type\":\"user\",\"message\":{\"content\":\"" + kPrompt + "\"}}\n"); });
}

void streamed(const std::filesystem::path& file) {
  bare_turn([&](int to) {
    write_all(to, "{\"data\":\"");
    stream_plainly(file, to);
    write_all(to, "\"}\n");
  });
}

using MakeAgent = Agent (*)(const std::filesystem::path& base);

Work text_only(MakeAgent make) {
  unpin();
  struct Bench {
    explicit Bench(MakeAgent of) : agent(of(scratch.base())) {}
    Scratch scratch{Where::tmpfs};
    Agent agent;
  };
  return [bench = std::make_shared<Bench>(make)] {
    Took bare, took;
    for (int i = 0; i < kBareRuns; ++i) {
      bare = bare + time_of(bare_text);
      took = took + time_of([&] { expect(bench->agent.run(kPrompt).text == "ok"); });
    }
    return Round{took.wall / bare.wall,
                 took.wall / kBareRuns,
                 {{"bare_us", bare.wall / kBareRuns * 1e6}, {"us", took.wall / kBareRuns * 1e6}}};
  };
}

Work with_bytes(std::size_t size) {
  unpin();
  struct Bench {
    explicit Bench(std::size_t bytes) : file(scratch.file("media", bytes)), memory(random_bytes(bytes)) {}
    Scratch scratch{Where::disk};
    std::filesystem::path file, copy = scratch.path() / "copy";
    Agent agent = bench_agent(scratch.base());
    std::string memory;
  };
  return [bench = std::make_shared<Bench>(size)] {
    const double hash = time_of([&] { hash_memory(bench->memory); }).wall;
    const double copy = time_of([&] { copy_plainly(bench->file, bench->copy); }).wall;
    std::filesystem::remove(bench->copy);
    const double bare = time_of(bare_text).wall;
    const double stream = time_of([&] { streamed(bench->file); }).wall;  // with a bare start of its own
    const double took = time_of([&] {
                          const auto input = input::from_path(input::Kind::file, bench->file).media_type(kMediaType);
                          expect(bench->agent.run(kPrompt, with_inputs(input)).text == "ok");
                        }).wall;
    return Round{took / (hash + copy + stream),
                 took,
                 {{"bare_ms", bare * 1e3},
                  {"hash_ms", hash * 1e3},
                  {"copy_ms", copy * 1e3},
                  {"stream_ms", stream * 1e3},
                  {"second_hash_counted", took / (hash + copy + stream + hash)}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  const Goal text = at_most(10, 1.15, "times the bare start");
  add("run/text/bench driver", 21, text, [] { return text_only(&bench_agent); });
  add("run/text/claude driver", 21, text, [] { return text_only(&claude_agent); });
  const Goal bytes = at_most(10, 1.25, "times bare start + N/L + N/stream");
  add("run/8 MiB", 21, bytes, [] { return with_bytes(std::size_t{8} << 20); });
  add("run/24 MiB", 21, bytes, [] { return with_bytes(std::size_t{24} << 20); });
  add("run/64 MiB", 15, bytes, [] { return with_bytes(std::size_t{64} << 20); });
  return run_all(argc, argv);
}
