// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <stdlib.h>

namespace attache::testing {

using Json = nlohmann::ordered_json;

TurnRequest::TurnRequest(std::string prompt) : prompt_(std::move(prompt)) {
  request_.struct_size = sizeof request_;
  request_.prompt = span(prompt_);
}

attache_input& TurnRequest::add(std::uint32_t kind, const std::string& media_type, const std::filesystem::path& path,
                                const std::string& bytes) {
  const auto kept = [this](std::string text) { return span(texts_.emplace_back(std::move(text))); };
  attache_input& input = inputs_.emplace_back();
  input.struct_size = sizeof input;
  input.index = static_cast<std::uint32_t>(inputs_.size() - 1);
  input.id = kept("input-" + std::to_string(inputs_.size()));
  input.kind = kind;
  input.mode = ATTACHE_MODE_NATIVE;
  input.name = kept(path.filename().string());
  input.media_type = kept(media_type);
  input.local_path = kept(path.string());
  input.size = bytes.size();
  const Digest digest = digest_of(bytes);
  std::copy(digest.begin(), digest.end(), std::begin(input.sha256));
  return input;
}

const attache_request* TurnRequest::get() {
  pointers_.clear();
  for (const attache_input& one : inputs_) pointers_.push_back(&one);
  request_.inputs = pointers_.data();
  request_.input_count = pointers_.size();
  return &request_;
}

Stage::Stage() {
  std::string name = (std::filesystem::temp_directory_path() / "codex-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for the test");
  root_ = name;
  for (const char* one : {"record", "tmp", "run", "home"}) std::filesystem::create_directory(root_ / one);
  setenv("FAKE_CODEX_RECORD", (root_ / "record").c_str(), 1);
  setenv("TMPDIR", (root_ / "tmp").c_str(), 1);
  unsetenv("OPENAI_API_KEY");
  unsetenv("CODEX_HOME");
  scenario("ok");
}

Stage::~Stage() {
  unsetenv("TMPDIR");
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void Stage::scenario(const std::string& name) {
  setenv("FAKE_CODEX_SCENARIO", name.c_str(), 1);
}

Json Stage::start() const {
  return Json::parse(read_file(record("start")));
}

std::vector<Json> Stage::messages() const {
  std::vector<Json> out;
  std::istringstream lines(read_file(record("stdin")));
  for (std::string line; std::getline(lines, line);) out.push_back(Json::parse(line));
  return out;
}

Json Stage::sent(const std::string& method) const {
  for (const Json& one : messages()) {
    if (one.value("method", "") == method) return one;
  }
  return {};
}

std::filesystem::path Stage::file(const std::string& name, const std::string& bytes) const {
  write_file(root_ / "run" / name, bytes);
  return root_ / "run" / name;
}

bool Stage::clean() const {
  return std::filesystem::is_empty(root_ / "tmp");
}

std::string Stage::config(const std::string& more) const {
  Json out{{"executable", FAKE_CODEX},
           {"home", (root_ / "home").string()},
           {"api_key", "key-of-the-test"},
           {"pass_environment", {"FAKE_CODEX_SCENARIO", "FAKE_CODEX_RECORD"}}};
  out.update(Json::parse(more));
  return out.dump();
}

CodexInstance::CodexInstance(const std::string& config, Entry entry) {
  if (entry(&fake_host(), &table_) != ATTACHE_OK) throw std::runtime_error("entry failed");
  const Recorder sink;
  const attache_span text = span(config);
  if (table_->create(&text, sink.id(), &instance_) != ATTACHE_OK) {
    throw std::runtime_error("create failed: " + sink.errors().at(0).reason);
  }
}

CodexInstance::~CodexInstance() {
  table_->destroy(instance_);
}

attache_status CodexInstance::run(TurnRequest& request, const Recorder& host) const {
  return table_->run(instance_, request.get(), host.id());
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
}

bool alive(int pid) {
  const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.at(name_end + 2) != 'Z';
}

}  // namespace attache::testing
