// SPDX-License-Identifier: Apache-2.0
// Goals 1, 2, 4 and 5: what becomes of an input before its driver is entered, against SHA-256 of memory and reading and
// writing its bytes.
#include <fcntl.h>
#include <unistd.h>

#include <attache/source.hpp>

#include "common/files.hpp"
#include "common/rounds.hpp"
#include "inputs/run_inputs.hpp"

namespace attache::bench {
namespace {

constexpr std::size_t large = std::size_t{64} << 20, small = 10 << 10;

class BytesReader final : public input::Reader {
 public:
  explicit BytesReader(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~BytesReader() override { ::close(descriptor_); }
  std::size_t read(std::span<std::byte> buffer) override {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count < 0) give_up("read");
    return static_cast<std::size_t>(count);
  }

 private:
  int descriptor_;
};

/// A host's own file system over a directory.
class Directory final : public input::FileSystem {
 public:
  explicit Directory(std::filesystem::path root) : root_(std::move(root)) {}
  std::unique_ptr<input::Reader> open(std::string_view path, std::stop_token) const override {
    return std::make_unique<BytesReader>(root_ / std::string(path));
  }

 private:
  std::filesystem::path root_;
};

Descriptor any_file() {
  Descriptor descriptor;
  descriptor.id = "bench";
  ModeCapability native;
  native.mode = input::Mode::native;
  native.media_types = {"text/plain"};
  native.encoding = "base64";
  descriptor.inputs.file.modes = {native};
  return descriptor;
}

/// Files in one directory, and a base for run directories beside them.
class Bed {
 public:
  explicit Bed(const std::filesystem::path& below) : place_(below), descriptor_(any_file()) {
    std::filesystem::create_directory(place_.path() / "base");
    std::filesystem::permissions(place_.path() / "base", std::filesystem::perms::owner_all);
    terms_.descriptor = &descriptor_;
    terms_.capabilities = &descriptor_.inputs;
    terms_.limits.max_count = 1000;
    terms_.limits.max_input_bytes = terms_.limits.max_total_bytes = std::uint64_t{1} << 30;
    terms_.run_base = place_.path() / "base";
  }
  const Place& place() const noexcept { return place_; }
  std::string copy_name() const { return (place_.path() / "copy").native(); }

  /// A whole life of these inputs: to their private copies, and away.
  void take(const std::vector<input::Input>& inputs) const { inputs::RunInputs::prepare(inputs, terms_, {}).remove(); }
  void copy(const std::string& from) const {
    read_and_write(from, copy_name());
    ::unlink(copy_name().c_str());
  }

 private:
  Place place_;
  Descriptor descriptor_;
  inputs::Terms terms_;
};

input::Input of(const std::filesystem::path& path) {
  return input::from_path(input::Kind::file, path).media_type("text/plain");
}

void add_large(const std::string& where, const std::shared_ptr<Bed>& bed, const std::string& content) {
  const std::filesystem::path one = bed->place().write("one.txt", content),
                              two = bed->place().write("two.txt", content);
  const auto limit = [=, &content] {
    hash_memory(content);
    bed->copy(one);
  };
  add({"1. one input of 64 MiB, " + where + " (to L)", limit, [=] { bed->take({of(one)}); }, Goal{0.90, 0},
       double{large}});
  add({"2. two inputs at once, " + where + " (to one after the other)",
       [=] {
         bed->take({of(one)});
         bed->take({of(two)});
       },
       [=] {
         bed->take({of(one), of(two)});
       },
       Goal{1.6, 0}, 2 * double{large}});
  const auto files = std::make_shared<Directory>(bed->place().path());
  const auto by_path = [=] { bed->take({of(one)}); };
  add({"4. a file system of the host, " + where + " (to path)", by_path,
       [=] { bed->take({input::from_fs(input::Kind::file, files, "one.txt").media_type("text/plain")}); }, Goal{0, 1.1},
       double{large}});
  add({"4. an opener, " + where + " (to path)", by_path,
       [=] {
         bed->take({input::from_opener(input::Kind::file, "one.txt", [one](const std::stop_token&) {
                      return std::make_unique<BytesReader>(one);
                    }).media_type("text/plain")});
       },
       Goal{0, 1.1}, double{large}});
}

void add_small(const std::shared_ptr<Bed>& bed) {
  const std::string content(small, 'x');
  const auto many = std::make_shared<std::vector<input::Input>>();
  const auto names = std::make_shared<std::vector<std::string>>();
  for (int i = 0; i < 500; ++i) {
    names->push_back(bed->place().write("small-" + std::to_string(i) + ".txt", content));
    many->push_back(of(names->back()));
  }
  const auto limit = [=] {
    for (const std::string& name : *names) {
      bed->copy(name);
      hash_memory(content);
    }
  };
  add({"5. 10 KB, 500 inputs of one run, tmpfs (to copy + SHA-256)", limit, [=] { bed->take(*many); }, Goal{0, 1.25}, 0,
       processor_seconds, 21});
  add({"   10 KB, 500 runs of one input, tmpfs (to copy + SHA-256)", limit,
       [=] {
         for (const input::Input& one : *many) bed->take({one});
       },
       std::nullopt, 0, processor_seconds, 21});
}

}  // namespace
}  // namespace attache::bench

int main(int argc, char** argv) {
  using namespace attache::bench;
  stay_on({0, 1});
  const std::string content = noise(large);
  add_large("disk", std::make_shared<Bed>(on_disk()), content);
  add_large("tmpfs", std::make_shared<Bed>(on_tmpfs), content);
  add_small(std::make_shared<Bed>(on_tmpfs));
  return run_all(argc, argv);
}
