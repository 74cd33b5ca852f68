// SPDX-License-Identifier: Apache-2.0
#include "wire_support.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <attache/sdk/child_process.hpp>

namespace attache::conformance {
namespace {

class TextSource : public sdk::ByteSource {
 public:
  explicit TextSource(const std::string& text) : text_(text) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    text_.copy(buffer.data(), count, at_);
    at_ += count;
    return count;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

TempFolder::TempFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "attache-wire-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("no temporary folder");
  }
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Dialect shipped_dialect(const std::string& id) {
  return Dialect::load(std::filesystem::path(DIALECTS) / (id + ".json"));
}

Ran run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::string& input, const std::string& working_directory) {
  Ran ran;
  auto child =
      sdk::ChildProcess::spawn({program.string(), arguments, {"PATH=/usr/bin:/bin", "MARKER=1"}, working_directory});
  child.send(std::make_unique<TextSource>(input));
  child.close_input();
  sdk::ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) { return ran.out += bytes, true; };
  handlers.on_stderr = [&](std::string_view bytes) { return ran.err += bytes, true; };
  child.pump(handlers, {});
  const sdk::ExitStatus status = child.end(std::chrono::milliseconds(0));
  if (status.kind == sdk::ExitStatus::Kind::exited) {
    ran.code = status.value;
  } else {
    ran.signal = status.value;
  }
  return ran;
}

std::string claude_frame(const std::string& elements) {
  return R"({"type":"user","message":{"role":"user","content":[)" + elements + "]}}\n";
}

}  // namespace attache::conformance
