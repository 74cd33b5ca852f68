// SPDX-License-Identifier: Apache-2.0
// Plays the codebuddy CLI. FAKE_CODEBUDDY_SCENARIO says how, FAKE_CODEBUDDY_RECORD names the directory for what it saw;
// a file `scenario` there says how from now on.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <nlohmann/json.hpp>
#include <unistd.h>

extern char** environ;

namespace {

using Json = nlohmann::ordered_json;

const char* const kSession = "010ebf0b-10f4-4b68-8ab4-67e4bc0d5d5e";
const char* const kFork = "010ebf0b-10f4-4b68-8ab4-67e4bc0d5d5f";
std::string scenario, record_directory, session = kSession;

void record(const std::string& name, const std::string& content, bool append = false) {
  std::ofstream(record_directory + "/" + name, append ? std::ios::binary | std::ios::app : std::ios::binary) << content;
}

void put(Json frame) {
  frame["session_id"] = session;
  std::cout << frame.dump() << std::endl;
}

bool is(const std::string& name) {
  return scenario == name;
}

/// The text behind "name:", if the scenario is of that name.
bool says(const std::string& name, std::string& text) {
  if (scenario.rfind(name + ":", 0) != 0) return false;
  text = scenario.substr(name.size() + 1);
  return true;
}

void models(const Json& request) {
  const bool sees = !is("blind");
  const Json list{
      {{"id", "first"}, {"supportsImages", sees}}, {{"id", "page"}, {"supportsImages", false}}, {{"id", "silent"}}};
  const Json response{{"subtype", "success"},
                      {"request_id", request["request_id"]},
                      {"response", {{"availableModels", Json::array()}, {"rawModels", list}}}};
  std::cout << Json{{"type", "control_response"}, {"response", response}}.dump() << std::endl;
}

void assistant(const Json& content) {
  put({{"type", "assistant"}, {"message", {{"role", "assistant"}, {"content", content}}}});
}

void result(const std::string& text) {
  put({{"type", "result"},
       {"subtype", "success"},
       {"is_error", false},
       {"result", text},
       {"usage", {{"input_tokens", 3}, {"output_tokens", 2}}}});
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

/// As a tool of the CLI would: what a reference names.
void read_references(const Json& turn) {
  for (const Json& block : turn["message"]["content"]) {
    const std::string text = block.value("text", "");
    if (text.rfind("[attache input ", 0) != 0) continue;
    const std::size_t at = text.find(" /");
    std::ifstream in(text.substr(at + 1, text.size() - at - 2), std::ios::binary);
    record("read", {std::istreambuf_iterator<char>(in), {}});
  }
}

void tools() {
  assistant({{{"type", "thinking"}, {"thinking", "hm"}},
             {{"type", "tool_use"}, {"id", "t1"}, {"name", "Read"}, {"input", {{"file", "x"}}}}});
  const Json image{{"type", "image"}, {"source", {{"type", "base64"}, {"data", std::string(1000, 'A')}}}};
  const Json content{{{"type", "text"}, {"text", "no such file"}}, image};
  const Json back{{{"type", "tool_result"}, {"tool_use_id", "t1"}, {"is_error", true}, {"content", content}}};
  put({{"type", "user"}, {"message", {{"role", "user"}, {"content", back}}}});
}

void turn(const Json& frame) {
  std::string text;
  if (says("error", text)) {
    std::cout << Json{{"type", "error"}, {"error", text}}.dump() << std::endl;
    return;
  }
  put({{"type", "system"}, {"subtype", "init"}, {"model", "fake-model"}});
  put({{"type", "system"}, {"subtype", "status"}, {"status", nullptr}});
  put({{"type", "file-history-snapshot"}, {"id", "x"}});
  if (says("failed", text)) {
    put({{"type", "result"}, {"subtype", "error_during_execution"}, {"is_error", true}, {"errors", {text}}});
    return;
  }
  if (is("asks")) {
    put({{"type", "control_request"}, {"request_id", "r"}, {"request", {{"subtype", "can_use_tool"}}}});
    sleep_for_ever();
  }
  if (is("hangs")) sleep_for_ever();
  if (is("dies")) std::_Exit(0);
  if (is("tools")) tools();
  if (is("noise")) std::cout << "an update is there\n";
  read_references(frame);
  assistant({{{"type", "text"}, {"text", "the answer"}}});
  result("the answer");
  if (is("exit_lies")) std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  record_directory = std::getenv("FAKE_CODEBUDDY_RECORD");
  scenario = std::getenv("FAKE_CODEBUDDY_SCENARIO");
  std::ifstream now(record_directory + "/scenario");
  if (now) scenario.assign(std::istreambuf_iterator<char>(now), {});
  Json arguments = Json::array();
  for (int i = 1; i < argc; ++i) {
    const std::string one = argv[i];
    arguments.push_back(one);
    if (one == "--version") {
      std::puts(is("old") ? "2.1.0" : is("new") ? "9.0.0" : "2.117.0");
      return 0;
    }
    if (one.rfind("--resume=", 0) == 0 && !is("other_session")) session = one.substr(9);
    if (one.rfind("--resume=", 0) == 0 && is("other_session")) session = kFork;
    if (one == "--fork-session" && !is("same_session")) session = kFork;
  }
  Json variables = Json::object();
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string variable = *one;
    variables[variable.substr(0, variable.find('='))] = variable.substr(variable.find('=') + 1);
  }
  char where[4096];
  const Json start{{"arguments", arguments}, {"environment", variables}, {"directory", ::getcwd(where, sizeof where)}};
  for (std::string line; std::getline(std::cin, line);) {
    const Json frame = Json::parse(line);
    if (frame["type"] == "control_request") {
      models(frame);
      continue;
    }
    record("start", start.dump() + "\n", true);
    record("stdin", line + "\n", true);
    turn(frame);
  }
  record("closed", "");
  return 0;
}
