// SPDX-License-Identifier: Apache-2.0
// Goal 7: a file as base64 in a JSON line to a child that reads and drops it, through a pipe of 1 MiB.
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_frame.hpp>
#include <attache/sdk/sha256.hpp>

#include "common/files.hpp"
#include "common/rounds.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t size = std::size_t{8} << 20, step = std::size_t{256} << 10;

/// A child that reads to the end of its pipe, on one processor or free.
class Drain {
 public:
  explicit Drain(int processor) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) give_up("pipe");
    child_ = ::fork();
    if (child_ < 0) give_up("fork");
    if (child_ == 0) {
      ::close(ends[1]);
      if (processor >= 0) stay_on({processor});
      static char buffer[step];
      while (::read(ends[0], buffer, sizeof buffer) > 0) {
      }
      ::_exit(0);
    }
    ::close(ends[0]);
    in_ = ends[1];
    ::fcntl(in_, F_SETPIPE_SZ, 1 << 20);
  }
  ~Drain() {
    ::close(in_);
    ::waitpid(child_, nullptr, 0);
  }
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;
  void write(const char* bytes, std::size_t count) const {
    while (count > 0) {
      const ssize_t taken = ::write(in_, bytes, count);
      if (taken <= 0) give_up("write");
      bytes += taken;
      count -= static_cast<std::size_t>(taken);
    }
  }

 private:
  int in_ = -1;
  pid_t child_ = -1;
};

std::string slurp(const std::string& path) {
  std::string text(size, '\0');
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  for (std::size_t at = 0; at < size;) {
    const ssize_t count = ::read(file, text.data() + at, size - at);
    if (count <= 0) give_up("read");
    at += static_cast<std::size_t>(count);
  }
  ::close(file);
  return text;
}

void add_state(const std::string& state, int processor, const std::string& path, const std::string& content) {
  const sdk::Digest digest = sdk::sha256(content);
  const std::size_t encoded = (size + 2) / 3 * 4;
  // The same number of bytes, so that the ratio is one of rates.
  const auto plain = [=] {
    static const std::string piece(step, 'x');
    const Drain drain(processor);
    for (std::size_t left = encoded; left > 0; left -= std::min(left, step))
      drain.write(piece.data(), std::min(left, step));
  };
  const auto streamed = [=] {
    const Drain drain(processor);
    sdk::JsonFrame frame;
    const std::string slot = frame.add({path, sdk::Encoding::base64, size, digest});
    frame.set_document(nlohmann::ordered_json{{"type", "user"}, {"data", slot}}.dump());
    const auto source = frame.source();
    static std::vector<char> buffer(step);
    for (std::size_t count = 0; (count = source->read(buffer)) > 0;) drain.write(buffer.data(), count);
  };
  const auto document = [=] {
    const Drain drain(processor);
    const std::string text =
        nlohmann::ordered_json{{"type", "user"}, {"data", sdk::base64_encode(slurp(path))}}.dump() + "\n";
    drain.write(text.data(), text.size());
  };
  add({"7. frame of 8 MiB, " + state + " (to plain writes)", plain, streamed, Goal{0.5, 0},
       static_cast<double>(encoded), wall_seconds, 21});
  // A frame compares the digest of each file while it streams it, which plain writes do not.
  add({"   frame of 8 MiB, " + state + " (to plain writes + SHA-256 of the file)",
       [=] {
         plain();
         hash_memory(content);
       },
       streamed, std::nullopt, static_cast<double>(encoded), wall_seconds, 21});
  add({"7. frame of 8 MiB, " + state + " (to the nlohmann document)", document, streamed, Goal{8, 0},
       static_cast<double>(encoded), wall_seconds, 11});
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  const Place place(on_disk());
  const std::string content = noise(std::size_t{8} << 20);
  const std::string path = place.write("input.bin", content);
  stay_on({0});
  add_state("both ends on one processor", 0, path, content);
  add_state("an end on each processor", 1, path, content);
  return run_all(argc, argv);
}
