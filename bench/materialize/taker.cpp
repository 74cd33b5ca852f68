// SPDX-License-Identifier: Apache-2.0
#include "materialize/taker.hpp"

#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace attache::bench {
namespace {

/// A host's reader of a file.
class FileReader final : public input::Reader {
 public:
  explicit FileReader(const std::filesystem::path& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "open");
  }
  ~FileReader() override { ::close(descriptor_); }

  std::size_t read(std::span<std::byte> buffer) override {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count < 0) throw std::system_error(errno, std::generic_category(), "read");
    return static_cast<std::size_t>(count);
  }

 private:
  int descriptor_;
};

class Folder final : public input::FileSystem {
 public:
  explicit Folder(std::filesystem::path root) : root_(std::move(root)) {}
  std::unique_ptr<input::Reader> open(std::string_view path, std::stop_token) const override {
    return std::make_unique<FileReader>(root_ / path);
  }

 private:
  std::filesystem::path root_;
};

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

}  // namespace

Taker::Taker(std::filesystem::path base) {
  driver_.id = "bench";
  ModeCapability native;
  native.mode = input::Mode::native;
  native.media_types = {kMediaType};
  native.encoding = "base64";
  driver_.inputs.file.modes = {native};
  terms_.descriptor = &driver_;
  terms_.capabilities = &driver_.inputs;
  terms_.limits = {20, 2 * kGiB, 4 * kGiB};
  terms_.run_base = std::move(base);
}

inputs::RunInputs Taker::take(const std::vector<input::Input>& given) const {
  return inputs::RunInputs::prepare(given, terms_, {});
}

input::Input as_path(const std::filesystem::path& file) {
  return input::from_path(input::Kind::file, file).media_type(kMediaType);
}

input::Input as_fs(const std::filesystem::path& file) {
  return input::from_fs(input::Kind::file, std::make_shared<Folder>(file.parent_path()), file.filename().native())
      .media_type(kMediaType);
}

input::Input as_opener(const std::filesystem::path& file) {
  return input::from_opener(input::Kind::file, file.filename().native(),
                            [file](std::stop_token) { return std::make_unique<FileReader>(file); })
      .media_type(kMediaType);
}

}  // namespace attache::bench
