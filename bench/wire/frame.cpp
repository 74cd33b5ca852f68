// SPDX-License-Identifier: Apache-2.0
// Goal 7: a file as a JSON frame into the 1 MiB pipe of a child that drains it, against plain writes into the same
// pipe (P) and against a whole JSON document.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/sha256.hpp>

#include "support/affinity.hpp"
#include "support/child.hpp"
#include "support/clock.hpp"
#include "support/goal.hpp"
#include "support/limits.hpp"
#include "support/scratch.hpp"

namespace attache::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Which processors the two ends of the pipe run on. A thread that the sender starts may be on any.
enum class Ends { apart, together };

/// Keeps the thread that reads it on one processor, once it has read for the first time and so started its helpers.
class PinnedSource final : public sdk::ByteSource {
 public:
  explicit PinnedSource(std::unique_ptr<sdk::ByteSource> source) : source_(std::move(source)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = source_->read(buffer);
    if (!std::exchange(pinned_, true)) pin_to(processors().front());
    return count;
  }

 private:
  std::unique_ptr<sdk::ByteSource> source_;
  bool pinned_ = false;
};

struct Bench {
  Bench(std::size_t bytes, Ends ends)
      : size(bytes),
        sink_arguments{std::to_string(ends == Ends::together ? processors().front() : processors().back())} {
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    slot.path = file.native();
    slot.size = size;
    slot.sha256 = sdk::sha256(content);
  }

  static Json document(std::string data) {
    Json block{{"type", "document"}, {"source", {{"type", "base64"}, {"media_type", "application/pdf"}}}};
    block["source"]["data"] = std::move(data);
    return Json{{"type", "user"}, {"message", {{"role", "user"}, {"content", Json::array({std::move(block)})}}}};
  }

  /// Until the child has read all and is gone.
  Took into_plain_child(const std::function<void(int)>& write) const {
    pin_to(processors().front());
    PlainChild child(sink, sink_arguments);
    child.read_until('r');
    const Stopwatch watch;
    write(child.input());
    child.finish();
    return watch.elapsed();
  }

  /// As a driver sends it.
  Took frame() const {
    sdk::SpawnOptions options;
    options.executable = sink.native();
    options.arguments = sink_arguments;
    sdk::ChildProcess child = sdk::ChildProcess::spawn(options);
    sdk::ChildProcess::Handlers handlers;
    handlers.on_stdout = [](std::string_view) { return false; };
    child.pump(handlers, {});
    unpin();
    const Stopwatch watch;
    sdk::JsonFrame frame;
    std::string mark = frame.add(slot);
    frame.set_document(document(std::move(mark)).dump());
    child.send(std::make_unique<PinnedSource>(frame.source()));
    child.close_input();
    child.pump({}, {});
    const Took took = watch.elapsed();
    if (!child.write_state().complete) throw std::runtime_error("the frame was not written");
    return took;
  }

  /// As a program does it that builds the document with nlohmann-json: the text is moved in, and dumped once.
  Took whole_document() const {
    return into_plain_child([this](int to) {
      std::ifstream in(file, std::ios::binary);
      std::string content(size, '\0');
      in.read(content.data(), static_cast<std::streamsize>(size));
      std::string line = document(sdk::base64_encode(content)).dump();
      line += '\n';
      write_all(to, line);
    });
  }

  Scratch scratch{Where::disk};
  std::size_t size;
  std::filesystem::path file = scratch.file("media", size), sink = beside_us("bench_sink");
  std::vector<std::string> sink_arguments;
  sdk::FrameSlot slot;
};

Work to_plain_writes(Ends ends) {
  constexpr std::size_t size = std::size_t{48} << 20;
  constexpr std::size_t encoded = size / 3 * 4;
  return [bench = std::make_shared<Bench>(size, ends)] {
    const double plain = bench->into_plain_child([](int to) { write_plainly(to, encoded); }).wall;
    const double streamed = bench->into_plain_child([&](int to) { stream_plainly(bench->file, to); }).wall;
    const Took took = bench->frame();
    return Round{plain / took.wall,
                 took.wall,
                 {{"P_GB_per_s", double{encoded} / plain / 1e9},
                  {"no_hash_to_P", plain / streamed},
                  {"GB_per_s", double{encoded} / took.wall / 1e9}}};
  };
}

Work to_document(std::size_t size) {
  return [bench = std::make_shared<Bench>(size, Ends::apart)] {
    const double document = bench->whole_document().wall;
    const Took took = bench->frame();
    return Round{document / took.wall, took.wall, {{"document_ms", document * 1e3}}};
  };
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  const Goal goal = at_least(7, 0.5, "of P, in encoded bytes");
  add("frame/48 MiB/ends on two processors", 21, goal, [] { return to_plain_writes(Ends::apart); });
  add("frame/48 MiB/ends on one processor", 21, goal, [] { return to_plain_writes(Ends::together); });
  add("frame/8 MiB", 21, at_least(7, 8, "times as fast as a document"),
      [] { return to_document(std::size_t{8} << 20); });
  add("frame/1 MiB", 21, no_goal("times as fast as a document"), [] { return to_document(std::size_t{1} << 20); });
  return run_all(argc, argv);
}
