// SPDX-License-Identifier: Apache-2.0
#include "scratch.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

namespace attache::test {

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "attache-run-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
  path_ = name;
  fs::create_directory(base());
  fs::permissions(base(), fs::perms::owner_all);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path Scratch::write(const std::string& name, std::string_view bytes) const {
  std::ofstream(path_ / name, std::ios::binary) << bytes;
  return path_ / name;
}

std::size_t Scratch::run_directories() const {
  const fs::directory_iterator entries(base());
  std::size_t count = 0;
  for (const fs::directory_entry& entry : entries) count += entry.is_directory() ? 1 : 0;
  return count;
}

std::size_t thread_count() {
  std::size_t count = 0;
  for ([[maybe_unused]] const fs::directory_entry& task : fs::directory_iterator("/proc/self/task")) ++count;
  return count;
}

void Signal::set() {
  std::lock_guard lock(mutex_);
  set_ = true;
  changed_.notify_all();
}

void Signal::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return set_; });
}

bool Signal::is_set() const {
  std::lock_guard lock(mutex_);
  return set_;
}

std::string long_text(std::size_t size) {
  std::string out;
  for (std::size_t line = 0; out.size() < size; ++line) {
    out += fmt::format("Line {} of the specification says {:x}.\n", line, line * 2654435761U);
  }
  out.resize(size);
  return out;
}

std::string noise(std::size_t size) {
  std::mt19937 random(7);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

input::Input text_input(std::string_view text) {
  return input::from_bytes(input::Kind::file, "text/plain", std::as_bytes(std::span(text)));
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace attache::test
