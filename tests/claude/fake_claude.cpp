// SPDX-License-Identifier: Apache-2.0
// Plays the claude CLI. FAKE_CLAUDE_SCENARIO says how, FAKE_CLAUDE_RECORD names the directory for what it saw.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

extern char** environ;

namespace {

using Json = nlohmann::ordered_json;

std::string record_directory;
bool partial = false;

void record(const std::string& name, const std::string& content) {
  const std::string path = record_directory + "/" + name;
  std::ofstream(path + ".new", std::ios::binary) << content;
  std::rename((path + ".new").c_str(), path.c_str());
}

void write_all(int descriptor, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = ::write(descriptor, bytes.data() + at, bytes.size() - at);
    if (count <= 0) std::_Exit(90);
    at += static_cast<std::size_t>(count);
  }
}

void put(const Json& frame) {
  write_all(1, frame.dump() + "\n");
}

/// Up to a line end, `limit` bytes or the end of input.
std::string read_line(std::size_t limit = SIZE_MAX) {
  std::string line;
  std::vector<char> buffer(64 * 1024);
  while (line.size() < limit && (line.empty() || line.back() != '\n')) {
    const ssize_t count = ::read(0, buffer.data(), std::min(buffer.size(), limit - line.size()));
    if (count <= 0) break;
    line.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return line;
}

Json read_turn() {
  const std::string line = read_line();
  record("stdin", line);
  return Json::parse(line);
}

void init() {
  put({{"type", "system"}, {"subtype", "init"}, {"model", "fake-model"}, {"claude_code_version", "2.1.332"}});
}

void replay(const Json& turn) {
  put({{"type", "user"}, {"message", turn["message"]}, {"isReplay", true}});
}

void assistant(const Json& content) {
  put({{"type", "assistant"}, {"message", {{"role", "assistant"}, {"content", content}}}});
}

void say(const std::string& text) {
  if (partial) {
    const auto event = [](const Json& e) { put({{"type", "stream_event"}, {"event", e}}); };
    event({{"type", "message_start"}});
    event({{"type", "content_block_start"}, {"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}});
    const std::size_t half = text.size() / 2;
    for (const std::string& piece : {text.substr(0, half), text.substr(half)}) {
      event({{"type", "content_block_delta"}, {"delta", {{"type", "text_delta"}, {"text", piece}}}});
    }
  }
  assistant({{{"type", "text"}, {"text", text}}});
}

Json result(const std::string& text) {
  return {{"subtype", "success"},
          {"type", "result"},
          {"is_error", false},
          {"result", text},
          {"usage", {{"input_tokens", 3}, {"output_tokens", 2}}}};
}

/// The end of input, as a CLI waits for it after its result.
void wait_for_end(int code) {
  std::string rest;
  while (!(rest = read_line()).empty()) record("second-frame", rest);
  record("closed", "");
  std::exit(code);
}

void answer(const Json& turn) {
  init();
  replay(turn);
  say("the answer");
  put(result("the answer"));
  wait_for_end(0);
}

void api_error(const Json& more, const std::string& text) {
  Json frame{{"type", "assistant"},
             {"message", {{"model", "<synthetic>"}, {"content", {{{"type", "text"}, {"text", text}}}}}},
             {"is_api_error_message", true}};
  frame.update(more);
  put(frame);
  Json end = result(text);
  end["is_error"] = true;
  if (more.contains("api_error_status")) end["api_error_status"] = more["api_error_status"];
  put(end);
  wait_for_end(0);
}

void change_first(Json& turn, const char* type, const std::function<void(Json&)>& change) {
  for (Json& block : turn["message"]["content"]) {
    if (block["type"] != type) continue;
    change(block);
    return;
  }
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

void flood(int descriptor, std::size_t bytes) {
  const std::string line =
      Json{{"type", "system"}, {"subtype", "ui_invalidate"}, {"pad", std::string(1000, 'x')}}.dump() + "\n";
  for (std::size_t sent = 0; sent < bytes; sent += line.size()) write_all(descriptor, line);
}

void grandchild() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGTERM, SIG_IGN);
    record("grandchild", std::to_string(::getpid()));
    sleep_for_ever();
  }
  while (::access((record_directory + "/grandchild").c_str(), F_OK) != 0) ::usleep(1000);
}

const std::map<std::string, std::function<void()>> scenarios{
    {"ok", [] { answer(read_turn()); }},
    {"altered",
     [] {
       Json turn = read_turn();
       change_first(turn, "image", [](Json& block) {
         block["source"] = {{"type", "base64"}, {"media_type", "image/jpeg"}, {"data", "AAEC"}};
       });
       answer(turn);
     }},
    {"replaced_by_text",
     [] {
       Json turn = read_turn();
       change_first(turn, "image", [](Json& block) {
         block = {{"type", "text"}, {"text", "[Image could not be processed: broken]"}};
       });
       answer(turn);
     }},
    {"first_image_missing",
     [] {
       Json turn = read_turn();
       Json& content = turn["message"]["content"];
       for (std::size_t i = 0; i < content.size(); ++i) {
         if (content[i]["type"] == "image") {
           content.erase(i);
           break;
         }
       }
       answer(turn);
     }},
    {"first_image_twice",
     [] {
       Json turn = read_turn();
       Json& content = turn["message"]["content"];
       for (std::size_t i = 0; i < content.size(); ++i) {
         if (content[i]["type"] != "image") continue;
         const Json copy = content[i];
         content.push_back(copy);
         break;
       }
       answer(turn);
     }},
    {"second_image_is_the_first",
     [] {
       Json turn = read_turn();
       Json first;
       for (Json& block : turn["message"]["content"]) {
         if (block["type"] != "image") continue;
         if (first.is_null()) first = block;
         block = first;
       }
       answer(turn);
     }},
    {"stubborn",
     [] {
       for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
       read_turn();
       record("leader", std::to_string(::getpid()));
       grandchild();
       std::ofstream(std::string(std::getenv("TMPDIR")) + "/left-by-the-provider") << "x";
       init();
       sleep_for_ever();
     }},
    {"text_altered",
     [] {
       Json turn = read_turn();
       change_first(turn, "document", [](Json& block) { block["source"]["data"] = "something else"; });
       answer(turn);
     }},
    {"wrapped",
     [] {
       Json turn = read_turn();
       change_first(turn, "image", [](Json& block) {
         block["source"]["data"] = block["source"]["data"].get<std::string>().insert(4, 1, '\n');
       });
       answer(turn);
     }},
    {"no_replay",
     [] {
       read_turn();
       init();
       say("the answer");
       put(result("the answer"));
       wait_for_end(0);
     }},
    {"media_removed",
     [] {
       const Json turn = read_turn();
       init();
       replay(turn);
       put({{"type", "assistant"},
            {"message", {{"model", "<synthetic>"}, {"content", Json::array()}}},
            {"error", "invalid_request"},
            {"api_error", "media_removed"},
            {"api_error_params", {{"media", "image"}, {"media_reason", "unprocessable"}}}});
       say("the answer");
       put(result("the answer"));
       wait_for_end(0);
     }},
    {"request_too_large",
     [] {
       read_turn();
       api_error({{"api_error_status", 413}, {"request_id", "req_9"}}, "Request too large (max 32MB) of /secret/place");
     }},
    {"pdf_too_large",
     [] {
       read_turn(), api_error({{"api_error", "pdf_too_large"}}, "PDF too large (max 100 pages)");
     }},
    {"not_logged_in", [] { read_turn(), api_error(Json::object(), "Not logged in · Please run /login"); }},
    {"rate_limited",
     [] {
       read_turn(), api_error({{"api_error_status", 429}}, "API Error");
     }},
    {"server_error",
     [] {
       read_turn(), api_error({{"api_error_status", 503}}, "API Error");
     }},
    {"error_then_success",
     [] {
       const Json turn = read_turn();
       put({{"type", "assistant"}, {"message", {{"content", Json::array()}}}, {"api_error", "something_new"}});
       answer(turn);
     }},
    {"result_is_error",
     [] {
       read_turn();
       Json end = result("no good");
       end["is_error"] = true;
       put(end);
       wait_for_end(0);
     }},
    {"error_subtype",
     [] {
       read_turn();
       put({{"type", "result"}, {"subtype", "error_max_turns"}, {"errors", Json::array()}});
       wait_for_end(1);
     }},
    {"no_result",
     [] {
       read_turn();
       init();
       std::fputs("something about /run/dir/input-1.png\n", stderr);
       std::exit(3);
     }},
    {"cut_result",
     [] {
       read_turn();
       init();
       const std::string line = result("the answer").dump();
       write_all(1, line.substr(0, line.size() / 2));
       std::exit(0);
     }},
    {"result_without_line_end",
     [] {
       read_turn();
       write_all(1, result("the answer").dump());
       std::exit(0);
     }},
    {"closes_input",
     [] {
       ::close(0);
       record("closed-early", "");
       init();
       std::exit(1);
     }},
    {"answers_unread",
     [] {
       put(result("the answer"));
       sleep_for_ever();
     }},
    {"deaf", [] { sleep_for_ever(); }},
    {"floods_first",
     [] {
       flood(1, 1 << 20);
       flood(2, 1 << 20);
       answer(read_turn());
     }},
    {"endless_line",
     [] {
       read_turn();
       const std::string digits(1 << 16, '1');
       for (;;) write_all(1, digits);
     }},
    {"dies_in_frame",
     [] {
       read_line(100000);
       ::kill(::getpid(), SIGKILL);
     }},
    {"exits_at_once", [] { std::exit(1); }},
    {"hangs",
     [] {
       read_turn();
       init();
       sleep_for_ever();
     }},
    {"grandchild",
     [] {
       read_turn();
       grandchild();
       init();
       sleep_for_ever();
     }},
    {"stays_after_result",
     [] {
       ::signal(SIGTERM, SIG_IGN);
       read_turn();
       grandchild();
       init();
       put(result("the answer"));
       sleep_for_ever();
     }},
    {"noise",
     [] {
       const Json turn = read_turn();
       write_all(1, "Warning: not JSON\n\n[1,2]\n");
       write_all(1, std::string(100000, '['));
       write_all(1, "\n{\"type\":7}\n");
       put({{"type", "of the future"}});
       answer(turn);
     }},
    {"half_characters",
     [] {
       read_turn();
       init();
       // Two halves of one character, a backslash before a "u", a half alone, and a whole pair.
       write_all(1, R"({"type":"result","subtype":"success","is_error":false,)"
                    R"("result":"\ud83d|\\ud83d|\ud83d\ud83d\ude00|\ude00"})"
                    "\n");
     }},
    {"tools",
     [] {
       const Json turn = read_turn();
       init();
       put({{"type", "system"}, {"subtype", "api_retry"}, {"attempt", 1}, {"max_retries", 10}, {"error_status", 529}});
       assistant({{{"type", "thinking"}, {"thinking", "hm"}},
                  {{"type", "tool_use"}, {"id", "t1"}, {"name", "Read"}, {"input", {{"file", "x"}}}}});
       const Json image{{"type", "image"}, {"source", {{"type", "base64"}, {"data", std::string(1000, 'A')}}}};
       put({{"type", "user"},
            {"message",
             {{"content",
               {{{"type", "tool_result"},
                 {"tool_use_id", "t1"},
                 {"is_error", true},
                 {"content", {{{"type", "text"}, {"text", "no such file"}}, image}}}}}}}});
       assistant({{{"type", "text"}, {"text", "done"}}});
       put(result("done"));
       wait_for_end(0);
     }},
    {"long_answer",
     [] {
       read_turn();
       init();
       const std::string text(300 * 1024, 'y');
       say(text);
       put(result(text));
       wait_for_end(0);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const char* const scenario = std::getenv("FAKE_CLAUDE_SCENARIO");
  const char* const directory = std::getenv("FAKE_CLAUDE_RECORD");
  if (scenario == nullptr || directory == nullptr) return 91;
  record_directory = directory;
  Json arguments = Json::array();
  for (int i = 1; i < argc; ++i) {
    arguments.push_back(argv[i]);
    partial = partial || std::string(argv[i]) == "--include-partial-messages";
  }
  Json variables = Json::object();
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    variables[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  }
  char where[4096];
  record(
      "start",
      Json{{"arguments", arguments}, {"environment", variables}, {"directory", ::getcwd(where, sizeof where)}}.dump());
  if (argc == 2 && std::string(argv[1]) == "--version") {
    if (std::string(scenario) == "deaf") sleep_for_ever();
    std::puts(std::string(scenario) == "ok" ? "2.1.332 (Claude Code)" : "hello");
    return 0;
  }
  const auto found = scenarios.find(scenario);
  if (found == scenarios.end()) return 92;
  found->second();
  return 0;
}
