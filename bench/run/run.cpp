// SPDX-License-Identifier: Apache-2.0
// Goals 6, 10 and 11: whole runs through a driver and a stand-in for its CLI, their memory, and the start of processes.
#include <cstdio>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include <attache/attache.hpp>
#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/sha256.hpp>

#include "common/files.hpp"
#include "common/rounds.hpp"

namespace attache::bench {
namespace {

/// A PNG as far as core looks at it, of a size.
std::string picture(std::size_t size) {
  std::string made = noise(size);
  made.replace(0, 33,
               std::string_view("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90\x77\x53\xde", 33));
  return made;
}

/// The stand-in started by hand: one line to it, its answer, its end.
void bare_run(std::unique_ptr<sdk::ByteSource> line) {
  sdk::SpawnOptions options;
  options.executable = ATTACHE_BENCH_STAND_IN;
  sdk::ChildProcess child = sdk::ChildProcess::spawn(options);
  child.send(std::move(line));
  sdk::ChildProcess::Handlers handlers;
  bool answered = false;
  handlers.on_stdout = [&](std::string_view bytes) { return !(answered = bytes.find('\n') != std::string_view::npos); };
  child.pump(handlers, {});
  if (!answered || !child.end(std::chrono::seconds(5)).success()) give_up("the stand-in did not answer");
}

class Text final : public sdk::ByteSource {
 public:
  explicit Text(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    std::memcpy(buffer.data(), text_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

std::unique_ptr<sdk::ByteSource> text_line() {
  return std::make_unique<Text>(
      R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":"prompt"}]}})"
      "\n");
}

std::unique_ptr<sdk::ByteSource> picture_line(const std::string& path, std::size_t size, const sdk::Digest& digest) {
  sdk::JsonFrame frame;
  const std::string slot = frame.add({path, sdk::Encoding::base64, size, digest});
  frame.set_document(nlohmann::ordered_json{{"type", "user"}, {"data", slot}}.dump());
  return frame.source();
}

Agent agent(const Place& place) {
  AgentOptions options;
  options.config = nlohmann::json{{"executable", ATTACHE_BENCH_STAND_IN}}.dump();
  options.run_base = place.path() / "base";
  options.limits.max_input_bytes = options.limits.max_total_bytes = std::uint64_t{1} << 30;
  HostOptions host;
  host.probe = false;
  return Agent(Host(host).driver_from_file(ATTACHE_BENCH_DRIVER), options);
}

void turn(Agent& to, const std::vector<input::Input>& inputs) {
  if (to.run("prompt", with_inputs(inputs)).text != "read") give_up("the run");
}

std::uint64_t peak_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6));
  }
  give_up("VmHWM");
}

/// Peak memory of one run above what the process had before, in MiB.
double extra_peak(Agent& to, const std::vector<input::Input>& inputs) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins anew
  const std::uint64_t before = peak_kib();
  turn(to, inputs);
  return static_cast<double>(peak_kib() - before) / 1024;
}

void add_memory(const std::shared_ptr<Agent>& to, const std::vector<input::Input>& one_mib,
                const std::vector<input::Input>& hundred_mib) {
  benchmark::RegisterBenchmark("6. peak memory of a run with 100 MiB above that before (MiB)",
                               [=](benchmark::State& state) {
                                 std::vector<double> small, large;
                                 for (auto _ : state) {
                                   small.push_back(extra_peak(*to, one_mib));
                                   large.push_back(extra_peak(*to, hundred_mib));
                                 }
                                 state.counters["MiB"] = *std::max_element(large.begin(), large.end());
                                 state.counters["more_than_1MiB_input"] = median(large) - median(small);
                                 state.counters["met"] =
                                     state.counters["MiB"] <= 4 && state.counters["more_than_1MiB_input"] <= 1 ? 1 : 0;
                               })
      ->Iterations(5)
      ->Unit(benchmark::kMillisecond);
}

void add_runs(const std::shared_ptr<Agent>& to, const std::shared_ptr<Place>& place) {
  add({"10. a text-only run (to the bare run of its CLI)", [] { bare_run(text_line()); }, [=] { turn(*to, {}); },
       Goal{0, 1.15}, 0, wall_seconds, 201});
  for (const std::size_t mib : {1, 8, 25}) {
    const std::size_t size = mib << 20;
    const std::string content = picture(size);
    const std::string path = place->write("picture-" + std::to_string(mib) + ".png", content);
    const sdk::Digest digest = sdk::sha256(content);
    const std::string copy = (place->path() / "copy").native();
    // N/L + N/stream + the bare run: a copy and its digest, then the same line by hand.
    const auto limit = [=] {
      hash_memory(content);
      read_and_write(path, copy);
      std::filesystem::remove(copy);
      bare_run(picture_line(path, size, digest));
    };
    add({"10. a run with " + std::to_string(mib) + " MiB (to bare run + N/L + N/stream)", limit,
         [=] { turn(*to, {input::from_path(input::Kind::image, path)}); }, Goal{0, 1.25}, 0, wall_seconds, 41});
  }
}

/// A gigabyte that is resident while it lives.
class Resident {
 public:
  Resident() : memory_(std::size_t{1} << 30) { std::memset(memory_.data(), 1, memory_.size()); }

 private:
  std::vector<char> memory_;
};

void add_spawn() {
  benchmark::RegisterBenchmark("11. start of a process with 1 GB resident (to a small host)",
                               [](benchmark::State& state) {
                                 const auto start = [] { bare_run(text_line()); };
                                 std::vector<double> small, large;
                                 for (auto _ : state) {
                                   for (int i = 0; i < 20; ++i) small.push_back(wall_seconds(start));
                                   const Resident resident;
                                   benchmark::DoNotOptimize(&resident);
                                   for (int i = 0; i < 20; ++i) large.push_back(wall_seconds(start));
                                 }
                                 const double ratio = median(large) / median(small);
                                 state.counters["ratio"] = ratio;
                                 state.counters["goal"] = 1.5;
                                 state.counters["met"] = ratio <= 1.5 ? 1 : 0;
                               })
      ->Iterations(5)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  stay_on({0, 1});
  const auto place = std::make_shared<Place>(on_disk());
  std::filesystem::create_directory(place->path() / "base");
  std::filesystem::permissions(place->path() / "base", std::filesystem::perms::owner_all);
  const auto to = std::make_shared<attache::Agent>(agent(*place));
  const auto input_of = [&](std::size_t mib) {
    return std::vector{attache::input::from_path(
        attache::input::Kind::image, place->write("memory-" + std::to_string(mib) + ".png", picture(mib << 20)))};
  };
  add_memory(to, input_of(1), input_of(100));
  add_runs(to, place);
  add_spawn();
  return run_all(argc, argv);
}
