// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp, setenv
#include <unistd.h>

#include <attache/sdk/child_process.hpp>

namespace attache::test {

namespace fs = std::filesystem;

fs::path driver_file(std::string_view id) {
  return fs::path(ATTACHE_TEST_DRIVERS) / ("attache-driver-" + std::string(id) + ".so");
}

fs::path other_library(std::string_view name) {
  return fs::path(ATTACHE_TEST_OTHER) / (std::string(name) + ".so");
}

fs::path descriptor_file(std::string_view id) {
  return fs::path(ATTACHE_TEST_ID_DESCRIPTORS) / id / "descriptor.json";
}

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments) {
  sdk::SpawnOptions options;
  options.executable = sdk::find_executable(program, "/usr/bin:/bin");
  if (options.executable.empty()) throw std::runtime_error("these tests need the program " + program);
  options.arguments = arguments;
  for (char** entry = environ; *entry != nullptr; ++entry) options.environment.emplace_back(*entry);
  sdk::ChildProcess child = sdk::ChildProcess::spawn(options);
  child.close_input();
  Outcome out;
  sdk::ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view piece) {
    out.out += piece;
    return true;
  };
  handlers.on_stderr = handlers.on_stdout;
  child.pump(handlers, {});
  const sdk::ExitStatus status = child.end(std::chrono::milliseconds(1000));
  out.code = status.kind == sdk::ExitStatus::Kind::exited ? status.value : -1;
  return out;
}

Outcome strip_sections(const fs::path& file) {
  const bool elfutils = !sdk::find_executable("eu-strip", "/usr/bin:/bin").empty();
  return run_program(elfutils ? "eu-strip" : "llvm-strip", {"--strip-sections", file.string()});
}

LoaderTest::LoaderTest() {
  std::string name = (fs::temp_directory_path() / "attache-loader-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  directory_ = fs::canonical(name);
  marker_ = directory_ / "marker";
  ::setenv("ATTACHE_TEST_MARKER", marker_.c_str(), 1);
}

LoaderTest::~LoaderTest() {
  ::unsetenv("ATTACHE_TEST_MARKER");
  std::error_code error;
  fs::remove_all(directory_, error);
}

fs::path LoaderTest::copy(const fs::path& file, const std::string& name) const {
  fs::path out = directory_ / (name.empty() ? file.filename().string() : name);
  fs::copy_file(file, out, fs::copy_options::overwrite_existing);
  return out;
}

bool LoaderTest::ran() {
  return fs::remove(marker_);
}

HostOptions LoaderTest::options() const {
  HostOptions out;
  out.directories = {directory_};
  out.installed_directory = false;
  return out;
}

LoadAttempt LoaderTest::refusal(const fs::path& file, const HostOptions& options) const {
  try {
    (void)Host(options).driver_from_file(file);
  } catch (const LoadError& error) {
    EXPECT_EQ(error.report().attempts.size(), 1U);
    const LoadAttempt attempt = error.report().attempts.at(0);
    EXPECT_EQ(attempt.place, file.string());
    EXPECT_EQ(attempt.reason, error.reason());
    EXPECT_EQ(std::string(error.what()).find(directory_.string()), std::string::npos) << "an error names a path";
    EXPECT_FALSE(attempt.text.empty());
    EXPECT_FALSE(attempt.hint.empty());
    return attempt;
  }
  ADD_FAILURE() << "the file was loaded";
  return {};
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace attache::test
