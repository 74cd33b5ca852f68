// SPDX-License-Identifier: Apache-2.0
#include "support/bench.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <attache/sdk/sha256.hpp>

namespace attache::testing {

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream.flush()) throw std::runtime_error("cannot write a test file");
}

std::size_t entries(const std::filesystem::path& directory) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory), {}));
}

input::Digest digest_of(std::string_view content) {
  return sdk::sha256(content);
}

int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (...) {
      code = 98;
    }
    ::_exit(code);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

ModeCapability mode(input::Mode mode, std::vector<std::string> types, std::string encoding) {
  ModeCapability result;
  result.mode = mode;
  result.media_types = std::move(types);
  result.encoding = std::move(encoding);
  return result;
}

InputsTest::InputsTest() {
  std::string pattern = (std::filesystem::temp_directory_path() / "attache-inputs-XXXXXX").native();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  scratch = pattern;
  base = scratch / "base";
  std::filesystem::create_directory(base);
  std::filesystem::permissions(base, std::filesystem::perms::owner_all);
  driver.id = "claude";
  driver.inputs.image.modes = {
      mode(input::Mode::native, {"image/png", "image/jpeg", "image/gif", "image/webp"}, "base64")};
  driver.inputs.image.alternative = "send it as PNG";
  driver.inputs.file.modes = {mode(input::Mode::native, {"application/pdf"}, "base64"),
                              mode(input::Mode::native, {"text/plain"}, "text")};
  driver.inputs.audio.alternative = "use the gemini driver";
}

InputsTest::~InputsTest() {
  std::error_code ignored;
  std::filesystem::remove_all(scratch, ignored);
}

WorkspaceTest::WorkspaceTest() {
  workspace = scratch / "workspace";
  std::filesystem::create_directory(workspace);
  driver.placement = "workspace";
  driver.inputs.file.modes = {mode(input::Mode::workspace_reference, {"text/*"})};
}

std::filesystem::path InputsTest::file(const std::string& name, std::string_view content) const {
  write_file(scratch / name, content);
  return scratch / name;
}

input::Input InputsTest::bytes(input::Kind kind, std::string media_type, std::string_view content) const {
  return input::from_bytes(kind, std::move(media_type), as_bytes(content));
}

inputs::Terms InputsTest::terms() const {
  inputs::Terms result;
  result.descriptor = &driver;
  result.capabilities = &driver.inputs;
  result.limits = limits;
  result.fidelity = fidelity;
  result.run_base = base;
  result.workspace = workspace;
  result.prompt_bytes = prompt_bytes;
  result.inspected = inspected;
  result.allow_provider_urls = allow_provider_urls;
  result.provider_url_hosts = provider_url_hosts;
  result.diagnostics = diagnostics;
  return result;
}

inputs::RunInputs InputsTest::accept(const std::vector<input::Input>& given) const {
  return inputs::RunInputs::prepare(given, terms(), {});
}

InputError InputsTest::refuse(const std::vector<input::Input>& given) const {
  try {
    accept(given);
  } catch (const InputError& error) {
    EXPECT_EQ(std::string_view(error.what()).find(scratch.native()), std::string_view::npos) << error.what();
    EXPECT_EQ(error.driver(), "claude");
    EXPECT_TRUE(retry_safe(error));
    if (std::filesystem::is_directory(base)) {
      EXPECT_EQ(entries(base), 0u) << "a run directory is left after " << error.what();
    }
    return error;
  }
  ADD_FAILURE() << "the inputs were taken";
  return {errc::internal, "none", "", {}};
}

int InputsTest::in_child_as_nobody(const std::function<int()>& body) const {
  constexpr unsigned nobody = 65534;
  if (::chmod(scratch.c_str(), 0755) != 0) return 1;
  if (::geteuid() != 0) return in_child(body);
  if (::chown(base.c_str(), nobody, nobody) != 0) return 1;
  return in_child([&] { return ::setgid(nobody) != 0 || ::setuid(nobody) != 0 ? 1 : body(); });
}

void InputsTest::expect_refusal(const std::vector<input::Input>& given, errc code, std::string_view reason) const {
  const InputError error = refuse(given);
  EXPECT_EQ(error.code(), code) << error.what();
  EXPECT_EQ(error.reason(), reason) << error.what();
}

ResolvedInput InputsTest::expect_delivered(const input::Input& given, std::string_view content) const {
  ResolvedInput resolved;
  try {
    const inputs::RunInputs run = accept({given});
    resolved = run.resolved().at(0);
    EXPECT_EQ(read_file(run.local_path(0)), content);
    EXPECT_EQ(resolved.sha256, digest_of(content));
    EXPECT_EQ(resolved.size, content.size());
  } catch (const Error& error) {
    ADD_FAILURE() << "refused: " << error.reason() << ": " << error.what();
  }
  EXPECT_EQ(entries(base), 0u);
  return resolved;
}

}  // namespace attache::testing
