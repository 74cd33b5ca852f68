// SPDX-License-Identifier: Apache-2.0
// Plays the app server of the codex CLI. FAKE_CODEX_SCENARIO says how, FAKE_CODEX_RECORD names the directory for what
// it saw; a file `scenario` there says how from now on.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

extern char** environ;

namespace {

using Json = nlohmann::ordered_json;

const char* const kThread = "01a22ec1-9080-7060-96f1-56ca080a711f";
const char* const kFork = "01a22ec1-9080-7060-96f1-56ca080a7120";
std::string turn_id = "turn-1";
int turns = 0;
std::string scenario, record_directory, thread = kThread;
bool resumed = false;

void record(const std::string& name, const std::string& content, bool append = false) {
  std::ofstream(record_directory + "/" + name, append ? std::ios::binary | std::ios::app : std::ios::binary) << content;
}

void put(const Json& message) {
  const std::string line = message.dump() + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t count = ::write(1, line.data() + at, line.size() - at);
    if (count <= 0) std::_Exit(90);
    at += static_cast<std::size_t>(count);
  }
}

void reply(const Json& call, const Json& result) {
  put({{"id", call["id"]}, {"result", result}});
}
void refuse(const Json& call, int code, const std::string& message, const Json& data = nullptr) {
  put({{"id", call["id"]}, {"error", {{"code", code}, {"message", message}, {"data", data}}}});
}
void tell(const std::string& method, Json params) {
  params["threadId"] = thread;
  if (!params.contains("turn") && !params.contains("turnId")) params["turnId"] = turn_id;
  put({{"method", method}, {"params", params}});
}

Json prepared_content(const Json& input) {
  Json out = Json::array();
  for (const Json& one : input) {
    if (one["type"] == "text") out.push_back({{"type", "input_text"}, {"text", one["text"]}});
    if (one["type"] == "image") out.push_back({{"type", "input_image"}, {"image_url", one["url"]}});
    if (one["type"] == "audio") out.push_back({{"type", "input_audio"}, {"audio_url", one["url"]}});
  }
  return out;
}

/// A thread that goes on has no raw events; its record has the items.
void raw(Json item) {
  if (resumed) {
    item["internal_chat_message_metadata_passthrough"]["turn_id"] = turn_id;
    record("rollout.jsonl", Json{{"type", "response_item"}, {"payload", item}}.dump() + "\n", true);
    return;
  }
  tell("rawResponseItem/completed", {{"item", item}});
}
void raw_user(const Json& content, const std::string& kind = "user.text") {
  raw({{"type", "message"},
       {"role", "user"},
       {"content", content},
       {"internal_chat_message_metadata_passthrough", {{"content_item_kinds", Json::array({kind})}}}});
}

void say(const std::string& text, const std::string& id = "m1") {
  tell("item/agentMessage/delta", {{"itemId", id}, {"delta", text.substr(0, text.size() / 2)}});
  tell("item/agentMessage/delta", {{"itemId", id}, {"delta", text.substr(text.size() / 2)}});
}

void used(unsigned input) {
  const Json last{{"inputTokens", input}, {"cachedInputTokens", 1}, {"outputTokens", 2}, {"totalTokens", input + 2}};
  tell("thread/tokenUsage/updated", {{"tokenUsage", {{"total", {{"inputTokens", 9999}}}, {"last", last}}}});
}

void complete(const std::string& text) {
  tell("turn/completed", {{"turn",
                           {{"id", turn_id},
                            {"status", "completed"},
                            {"error", nullptr},
                            {"items", {{{"type", "agentMessage"}, {"id", "m1"}, {"text", text}}}}}}});
}

void fail_turn(const Json& info, const std::string& message, const std::string& status = "failed") {
  const Json error{{"message", message}, {"codexErrorInfo", info}};
  tell("error", {{"error", error}, {"willRetry", false}});
  tell("turn/completed", {{"turn", {{"id", turn_id}, {"status", status}, {"error", error}, {"items", Json::array()}}}});
}

void begin(const Json& call) {
  tell("turn/started", {{"turn", {{"id", turn_id}}}});
  reply(call, {{"turn", {{"id", turn_id}, {"status", "inProgress"}}}});
}

void answer(const Json& call) {
  begin(call);
  raw_user({{{"type", "input_text"}, {"text", "<environment_context>"}}}, "environments.environment_context");
  raw_user(prepared_content(call["params"]["input"]));
  say("the answer");
  used(7);
  complete("the answer");
}

/// The turn with what the CLI prepared changed.
void answer_with(const Json& call, const std::function<void(Json&)>& change) {
  Json content = prepared_content(call["params"]["input"]);
  change(content);
  begin(call);
  raw_user(content);
  say("the answer");
  complete("the answer");
}

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
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

/// Goes on after the end of its input and after every signal that can be ignored, with a child and a file.
void stubborn(const Json& call) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  record("leader", std::to_string(::getpid()));
  grandchild();
  std::ofstream(std::string(std::getenv("TMPDIR")) + "/left-by-the-provider") << "x";
  begin(call);
  say("so far\n");
  sleep_for_ever();
}

void turn(const Json& call) {
  const Json placeholder{{"type", "input_text"}, {"text", "image content omitted because it could not be processed"}};
  const std::map<std::string, std::function<void()>> scenarios{
      {"stubborn", [&] { stubborn(call); }},
      {"stays_after_result",
       [&] {
         ::signal(SIGTERM, SIG_IGN);
         grandchild();
         answer(call);
         sleep_for_ever();
       }},
      {"reads_late",
       [&] {
         begin(call);
         raw_user(prepared_content(call["params"]["input"]));
         say("accepted");
         const std::string named = call["params"]["input"].back()["text"];
         const std::size_t path = named.rfind(' ') + 1;
         std::ifstream in(named.substr(path, named.size() - path - 1), std::ios::binary);
         record("read", std::string(std::istreambuf_iterator<char>(in), {}));
         complete("accepted");
       }},
      {"exit_lies",
       [&] {
         answer(call);
         std::_Exit(3);
       }},
      {"failed_exit_0",
       [&] {
         begin(call), fail_turn("internalServerError", "high demand");
         std::_Exit(0);
       }},
      {"long_answer",
       [&] {
         begin(call);
         complete(std::string(200'000, 'x'));
       }},
      {"huge_answer",
       [&] {
         begin(call);
         complete(std::string(300'000, 'x'));
       }},
      {"huge_answer_streamed",
       [&] {
         begin(call);
         for (int i = 0; i < 8; ++i) {
           tell("item/agentMessage/delta", {{"itemId", "m1"}, {"delta", std::string(200'000, 'x')}});
         }
         complete(std::string(1'600'000, 'x'));
       }},
      {"altered",
       [&] { answer_with(call, [](Json& content) { content[1]["image_url"] = "data:image/jpeg;base64,AAEC"; }); }},
      {"placeholder", [&] { answer_with(call, [&](Json& content) { content[1] = placeholder; }); }},
      {"missing", [&] { answer_with(call, [](Json& content) { content.erase(1); }); }},
      {"twice", [&] { answer_with(call, [](Json& content) { content.push_back(content[1]); }); }},
      {"wrapped",
       [&] {
         answer_with(call, [](Json& content) {
           content[1]["image_url"] = content[1]["image_url"].get<std::string>().insert(30, 1, '\n');
         });
       }},
      {"no_raw",
       [&] {
         begin(call);
         say("the answer");
         complete("the answer");
       }},
      {"rerouted",
       [&] {
         begin(call);
         raw_user(prepared_content(call["params"]["input"]));
         tell("model/rerouted", {{"fromModel", "a"}, {"toModel", "b"}});
         complete("the answer");
       }},
      {"retries",
       [&] {
         begin(call);
         tell("error",
              {{"error", {{"message", "Reconnecting... 1/5"}, {"codexErrorInfo", "other"}}}, {"willRetry", true}});
         say("the answer");
         complete("the answer");
       }},
      {"error_then_completed",
       [&] {
         begin(call);
         tell("error", {{"error", {{"message", "x"}, {"codexErrorInfo", "other"}}}, {"willRetry", false}});
         complete("the answer");
       }},
      {"status_400", [&] { begin(call), fail_turn("other", R"({"error":{"message":"bad /secret/path"}})"); }},
      {"status_401",
       [&] {
         begin(call), fail_turn({{"httpConnectionFailed", {{"httpStatusCode", 401}}}}, "unexpected status 401");
       }},
      {"status_413",
       [&] {
         begin(call), fail_turn({{"httpConnectionFailed", {{"httpStatusCode", 413}}}}, "unexpected status 413");
       }},
      {"status_429",
       [&] {
         begin(call), fail_turn({{"responseTooManyFailedAttempts", {{"httpStatusCode", 429}}}}, "exceeded");
       }},
      {"status_500", [&] { begin(call), fail_turn("internalServerError", "high demand"); }},
      {"stream_cut", [&] { begin(call), fail_turn("other", "stream disconnected before completion: x"); }},
      {"no_key", [&] { begin(call), fail_turn("other", "Missing environment variable: `OPENAI_API_KEY`."); }},
      {"unknown_error", [&] { begin(call), fail_turn("of_the_future", "something about /secret/path"); }},
      {"interrupted_by_other", [&] { begin(call), fail_turn(nullptr, "", "interrupted"); }},
      {"too_long",
       [&] {
         refuse(call, -32602, "too long", {{"input_error_code", "input_too_large"}});
       }},
      {"refused_call", [&] { refuse(call, -32600, "Invalid request: about /secret/path"); }},
      {"no_result",
       [&] {
         begin(call);
         std::fputs("something about the run\n", stderr);
         std::exit(0);
       }},
      {"dies", [&] { ::kill(::getpid(), SIGKILL); }},
      {"endless_line",
       [&] {
         begin(call);
         const std::string digits(1 << 16, '1');
         for (;;) {
           if (::write(1, digits.data(), digits.size()) <= 0) std::_Exit(90);
         }
       }},
      {"hangs", [&] { begin(call); }},
      {"talks_and_hangs",
       [&] {
         begin(call);
         say("so far");
       }},
      {"tools",
       [&] {
         begin(call);
         raw_user(prepared_content(call["params"]["input"]));
         raw_user({{{"type", "input_text"}, {"text", "<skill>"}}}, "skills.selected_skill_instructions");
         tell("item/reasoning/summaryTextDelta", {{"itemId", "r"}, {"delta", "hm"}});
         raw({{"type", "function_call"},
              {"name", "exec_command"},
              {"arguments", R"({"cmd":"ls"})"},
              {"call_id", "c1"}});
         raw({{"type", "function_call_output"},
              {"call_id", "c1"},
              {"output",
               {{{"type", "input_text"}, {"text", "a file"}},
                {{"type", "input_image"}, {"image_url", "data:image/png;base64," + std::string(400000, 'A')}}}}});
         used(10), used(20);
         say("done");
         complete("done");
       }},
      {"asks",
       [&] {
         begin(call);
         put({{"id", 0}, {"method", "item/commandExecution/requestApproval"}, {"params", {{"threadId", thread}}}});
         put({{"id", "s"}, {"method", "item/tool/requestUserInput"}, {"params", {{"threadId", thread}}}});
       }},
      {"not_streamed",
       [&] {
         begin(call);
         complete("the answer");
       }},
      {"noise",
       [&] {
         std::puts("Warning: not JSON\n\n[1,2]\n{\"id\":77,\"result\":{}}");
         std::fflush(stdout);
         put({{"method", "of/the/future"}});
         answer(call);
       }},
      {"foreign_turn", [&] {
         begin(call);
         put({{"method", "item/agentMessage/delta"},
              {"params", {{"threadId", "other"}, {"turnId", turn_id}, {"itemId", "x"}, {"delta", "not ours"}}}});
         tell("item/agentMessage/delta", {{"turnId", "older"}, {"itemId", "x"}, {"delta", "not ours"}});
         say("the answer");
         complete("the answer");
       }}};
  if (scenario.rfind("sentence:", 0) == 0) {
    const std::string sentence = scenario.substr(scenario.find(':') + 1);
    return answer_with(call, [&](Json& content) { content[1] = {{"type", "input_text"}, {"text", sentence}}; });
  }
  const auto found = scenarios.find(scenario);
  found == scenarios.end() ? answer(call) : found->second();
}

Json thread_result(const Json& call, const std::string& id) {
  thread = id;
  const std::string usual = scenario == "blind" ? "gpt-blind" : "gpt-fake";
  const std::string rollout = record_directory + "/rollout.jsonl";
  return {{"thread", {{"id", id}, {"path", scenario == "no_rollout" ? "/nonexistent" : rollout}}},
          {"model", call["params"].value("model", usual)}};
}

void open_thread(const Json& call, const std::string& method) {
  const std::string wanted = call["params"].value("threadId", "");
  resumed = method != "thread/start";
  if (resumed) record("rollout.jsonl", "{\"type\":\"session_meta\"}\nnot JSON\n");
  if (scenario == "unknown_thread") return refuse(call, -32600, "no rollout found for thread id " + wanted);
  if (scenario == "other_thread") return reply(call, thread_result(call, kThread));
  reply(call, thread_result(call, method == "thread/resume" ? wanted : method == "thread/fork" ? kFork : kThread));
}

Json model(const std::string& id, const Json& modalities, bool is_default) {
  return {{"id", id}, {"model", id}, {"isDefault", is_default}, {"inputModalities", modalities}};
}

void take(const Json& message) {
  const std::string method = message.value("method", "");
  if (method == "initialize") {
    reply(message, {{"userAgent", scenario == "old" ? "attache/0.160.1 (x)" : "attache/0.171.0 (x) unknown"}});
  } else if (method == "model/list") {
    if (message["params"].contains("cursor")) {
      reply(message, {{"data", {model("gpt-ear", {"text", "image", "audio"}, false)}}, {"nextCursor", nullptr}});
    } else {
      reply(message, {{"data", {model("gpt-fake", {"text", "image"}, true), model("gpt-blind", {"text"}, false)}},
                      {"nextCursor", "more"}});
    }
  } else if (method == "account/read") {
    reply(message, {{"account", {{"type", "chatgpt"}, {"email", "somebody@example.org"}, {"planType", "pro"}}}});
  } else if (method == "account/rateLimits/read") {
    reply(message, {{"rateLimits", {{"primary", {{"usedPercent", 12}}}, {"secondary", nullptr}}}});
  } else if (method.rfind("thread/", 0) == 0) {
    open_thread(message, method);
  } else if (method == "turn/start") {
    // Ids differ between processes too, as the CLI's do.
    if (++turns > 1) turn_id = "turn-" + std::to_string(::getpid()) + "-" + std::to_string(turns);
    if (std::ifstream now(record_directory + "/scenario"); now) std::getline(now, scenario);
    turn(message);
  } else if (method == "turn/interrupt") {
    reply(message, Json::object());
    tell("turn/completed", {{"turn", {{"id", turn_id}, {"status", "interrupted"}, {"items", Json::array()}}}});
  } else if (message.value("id", Json()) == "s") {
    say("the answer");
    complete("the answer");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* const name = std::getenv("FAKE_CODEX_SCENARIO");
  const char* const directory = std::getenv("FAKE_CODEX_RECORD");
  if (name == nullptr || directory == nullptr) return 91;
  scenario = name;
  record_directory = directory;
  if (std::ifstream now(record_directory + "/scenario"); now) std::getline(now, scenario);
  Json arguments = Json::array(), variables = Json::object();
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    variables[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  }
  char where[4096];
  record(
      "start",
      Json{{"arguments", arguments}, {"environment", variables}, {"directory", ::getcwd(where, sizeof where)}}.dump());
  record("starts", std::to_string(::getpid()) + "\n", true);
  if (scenario == "exits_at_once") return 1;
  if (scenario == "deaf") sleep_for_ever();
  for (std::string line; std::getline(std::cin, line);) {
    record("stdin", line + "\n", true);
    take(Json::parse(line));
  }
  record("closed", "");
  return 0;
}
