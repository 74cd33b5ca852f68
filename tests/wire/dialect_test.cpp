// SPDX-License-Identifier: Apache-2.0
#include "wire/dialect.hpp"

#include <functional>

#include <nlohmann/json.hpp>

#include "wire_support.hpp"

namespace attache::conformance {
namespace {

using Json = nlohmann::ordered_json;

class DialectFile : public testing::Test {
 protected:
  static Json shipped(const std::string& id) {
    return Json::parse(read_file(std::filesystem::path(DIALECTS) / (id + ".json")));
  }
  /// What load() says of a dialect, changed.
  std::string fault(const std::string& id, const std::function<void(Json&)>& change) {
    Json document = shipped(id);
    change(document);
    write_file(folder_ / (id + ".json"), document.dump());
    try {
      Dialect::load(folder_ / (id + ".json"));
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }
  TempFolder folder_;
};

TEST_F(DialectFile, ShippedOnesAreReadAndSayWhatTheyAre) {
  const Dialect claude = shipped_dialect("claude-stream-json");
  EXPECT_EQ(claude.transport(), "process");
  EXPECT_EQ(claude.command(), "claude");
  EXPECT_EQ(claude.provider_version(), "2.1.332");
  EXPECT_EQ(claude.order(), BlockOrder::after_text);
  ASSERT_EQ(claude.blocks().size(), 3u);
  EXPECT_EQ(claude.blocks()[2].name, "document/text");
  EXPECT_EQ(claude.blocks()[2].kind, input::Kind::file);
  EXPECT_EQ(claude.blocks()[2].mode, input::Mode::native);
  const Dialect messages = shipped_dialect("anthropic-messages");
  EXPECT_EQ(messages.transport(), "http");
  EXPECT_EQ(messages.blocks()[1].mode, input::Mode::provider_url);
}

TEST_F(DialectFile, TheAnswersTheChecksNeedAreThere) {
  const Dialect claude = shipped_dialect("claude-stream-json");
  for (const char* name :
       {"ok", "refuse", "slow", "cut", "crash", "hang", "flood", "deaf", "close_stdin", "echo_altered", "echo_dropped",
        "echo_none", "media_removed", "error_result", "no_result", "delayed_open", "stubborn", "grandchild"}) {
    ASSERT_NE(claude.scenario(name), nullptr) << name;
    EXPECT_FALSE(claude.scenario(name)->about.empty());
    EXPECT_FALSE(claude.scenario(name)->expect.run.empty());
  }
  EXPECT_EQ(claude.scenario("nothing"), nullptr);
  EXPECT_EQ(claude.scenario("media_removed")->expect.receipt, "dropped");
}

struct Broken {
  const char* fault;
  std::function<void(Json&)> change;
};

TEST_F(DialectFile, EveryRuleBrokenOnceIsToldByItsPointer) {
  const std::vector<Broken> all{
      {"/schema: must be 1", [](Json& d) { d["schema"] = 2; }},
      {"/id: must be the file's name", [](Json& d) { d["id"] = "other"; }},
      {"/id: is missing", [](Json& d) { d.erase("id"); }},
      {"/version: must be a string", [](Json& d) { d["version"] = 3; }},
      {"/transport: must be one of process, http", [](Json& d) { d["transport"] = "pigeon"; }},
      {"/command: must be a file name", [](Json& d) { d["command"] = "../claude"; }},
      {"/surprise: is not known", [](Json& d) { d["surprise"] = 1; }},
      {"/provider/name: is missing", [](Json& d) { d["provider"].erase("name"); }},
      {"/facts/0/source: is missing", [](Json& d) { d["facts"][0].erase("source"); }},
      {"/facts/1/date: must be a date", [](Json& d) { d["facts"][1]["date"] = "yesterday"; }},
      {"/turn: must be an object", [](Json& d) { d["turn"] = Json::array({1}); }},
      {"/turn/content: must be a JSON pointer", [](Json& d) { d["turn"]["content"] = "message/content"; }},
      {"/turn/messages/take: must be one of last, all",
       [](Json& d) {
         d["turn"]["messages"] = Json{{"at", "/m"}, {"match", Json::object()}, {"take", "some"}};
       }},
      {"/text/data: is missing", [](Json& d) { d["text"].erase("data"); }},
      {"/blocks/0/kind: must be one of", [](Json& d) { d["blocks"][0]["kind"] = "picture"; }},
      {"/blocks/0/mode: must be one of", [](Json& d) { d["blocks"][0]["mode"] = "magic"; }},
      {"/blocks/1/match: must name at least one member", [](Json& d) { d["blocks"][1]["match"] = Json::object(); }},
      {"/blocks/1/data: is missing", [](Json& d) { d["blocks"][1].erase("data"); }},
      {"/blocks/1/encoding: must be one of", [](Json& d) { d["blocks"][1]["encoding"] = "base32"; }},
      {"/blocks/1/encoding: a native block carries the bytes", [](Json& d) { d["blocks"][1]["encoding"] = "path"; }},
      {"/blocks/1/encoding: must be url for provider_url", [](Json& d) { d["blocks"][1]["mode"] = "provider_url"; }},
      {"/blocks/1/encoding: must be path or reference for workspace_reference",
       [](Json& d) { d["blocks"][1]["mode"] = "workspace_reference"; }},
      {"/blocks/1/media_type: is missing", [](Json& d) { d["blocks"][1].erase("media_type"); }},
      {"/blocks/1/media_types: must be an array of strings",
       [](Json& d) { d["blocks"][1]["media_types"] = "application/pdf"; }},
      {"/blocks/2/name: is used twice", [](Json& d) { d["blocks"][2]["name"] = d["blocks"][1]["name"]; }},
      {"/blocks/2/date: is missing", [](Json& d) { d["blocks"][2].erase("date"); }},
      {"/order/inputs: must be one of", [](Json& d) { d["order"]["inputs"] = "shuffled"; }},
      {"/probes/0/argv: must be an array of strings", [](Json& d) { d["probes"][0]["argv"] = Json::array({1}); }},
      {"/probes/0/exit: must be an integer from 0 to 255", [](Json& d) { d["probes"][0]["exit"] = 256; }},
      {"/variables/model/pointer: must be a JSON pointer",
       [](Json& d) { d["variables"]["model"]["pointer"] = "model"; }},
      {"/answers/ok: is missing", [](Json& d) { d["answers"].erase("ok"); }},
      {"/answers/ok/about: is missing", [](Json& d) { d["answers"]["ok"].erase("about"); }},
      {"/answers/ok/expect/run: must be one of ok, fails, hangs",
       [](Json& d) { d["answers"]["ok"]["expect"]["run"] = "maybe"; }},
      {"/answers/ok/turn/0: must be an object", [](Json& d) { d["answers"]["ok"]["turn"][0] = "frame"; }},
      {"/answers/ok/turn/0/sing: no such step",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"sing", true}};
       }},
      {"/answers/ok/turn/0/response: no such step",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"response", Json::object()}};
       }},
      {"/answers/ok/turn/0: must be exactly one step",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"exit", 1}, {"hang", true}};
       }},
      {"/answers/ok/turn/0/frame: no variable \"nobody\"",
       [](Json& d) { d["answers"]["ok"]["turn"][0]["frame"]["cwd"] = "in ${nobody}"; }},
      {"/answers/ok/turn/1/if/frame: argument or frame must be given",
       [](Json& d) { d["answers"]["ok"]["turn"][1]["if"] = Json::object(); }},
      {"/answers/ok/turn/1/echo/frame: must have \"${content}\" as one value",
       [](Json& d) { d["answers"]["ok"]["turn"][1]["echo"]["frame"]["message"]["content"] = "none"; }},
      {"/answers/ok/turn/1/echo/each/text: must have \"${value}\" as one value",
       [](Json& d) {
         d["answers"]["ok"]["turn"][1]["echo"]["each"]["text"] = Json{{"text", "${value}${value}"}};
       }},
      {"/replies/0/frame: must name at least one member",
       [](Json& d) {
         d["replies"] = Json::array({{{"frame", Json::object()}, {"steps", Json::array()}}});
       }},
      {"/answers/ok/replies/0/steps/0/sing: no such step",
       [](Json& d) {
         d["answers"]["ok"]["replies"] =
             Json::array({{{"frame", {{"method", "x"}}}, {"steps", Json::array({{{"sing", true}}})}}});
       }},
      {"/answers/echo_dropped/turn/1/echo/edit/set: one of set, replace and remove",
       [](Json& d) { d["answers"]["echo_dropped"]["turn"][1]["echo"]["edit"].erase("remove"); }},
      {"/answers/ok/turn/0/delay_ms: must be an integer",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"delay_ms", -1}};
       }},
      {"/answers/ok/turn/0/signal: must be one of",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"signal", "STOP"}};
       }},
      {"/answers/ok/turn/0/ignore_signals: each must be one of",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"ignore_signals", {"KILL"}}};
       }},
      {"/answers/ok/turn/0/flood/to: is missing",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"flood", {{"bytes", 1}, {"as", "lines"}}}};
       }},
      {"/answers/ok/turn/0/cut/bytes: is missing",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"cut", {{"frame", Json::object()}}}};
       }},
      {"/answers/ok/turn/0/wait: must be \"stdin_eof\"",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"wait", "luck"}};
       }},
      {"/answers/ok/turn/0/hang: must be true",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"hang", 1}};
       }},
      {"/answers/ok/turn/0/read: must be true or false",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"read", 1}};
       }},
      {"/answers/ok/turn/0/grandchild/name: is not known",
       [](Json& d) {
         d["answers"]["ok"]["turn"][0] = Json{{"grandchild", {{"name", "x"}}}};
       }},
  };
  for (const Broken& broken : all) {
    EXPECT_NE(fault("claude-stream-json", broken.change).find(broken.fault), std::string::npos)
        << broken.fault << "\n"
        << fault("claude-stream-json", broken.change);
  }
}

TEST_F(DialectFile, HttpRulesBrokenOnce) {
  const std::vector<Broken> all{
      {"/requests: is missing", [](Json& d) { d.erase("requests"); }},
      {"/requests/1/status: must be an integer from 200 to 599", [](Json& d) { d["requests"][1]["status"] = 99; }},
      {"/answers/ok/start: http answers have a turn only",
       [](Json& d) {
         d["answers"]["ok"]["start"] = Json::array({Json{{"hang", true}}});
       }},
      {"/answers/ok/turn/1/response/status: is missing",
       [](Json& d) { d["answers"]["ok"]["turn"][1]["response"].erase("status"); }},
      {"/answers/ok/turn/1/response/json: one of json and events",
       [](Json& d) { d["answers"]["ok"]["turn"][1]["response"].erase("json"); }},
      {"/answers/ok/turn/0/response/events/2/kind: is not known",
       [](Json& d) { d["answers"]["ok"]["turn"][0]["response"]["events"][2]["kind"] = 1; }},
      {"/answers/ok/turn/1/echo: no such step",
       [](Json& d) {
         d["answers"]["ok"]["turn"][1] = Json{{"echo", Json::object()}};
       }},
  };
  for (const Broken& broken : all) {
    EXPECT_NE(fault("anthropic-messages", broken.change).find(broken.fault), std::string::npos)
        << broken.fault << "\n"
        << fault("anthropic-messages", broken.change);
  }
}

TEST_F(DialectFile, AllFaultsAreToldAtOnce) {
  const std::string text = fault("claude-stream-json", [](Json& d) {
    d.erase("version");
    d["blocks"][0].erase("data");
  });
  EXPECT_NE(text.find("/version: is missing"), std::string::npos);
  EXPECT_NE(text.find("/blocks/0/data: is missing"), std::string::npos);
}

TEST_F(DialectFile, BesideThePluginComesFirstThenTheKit) {
  Json document = shipped("claude-stream-json");
  document["version"] = "9.9.9";
  write_file(folder_ / "claude-stream-json.json", document.dump());
  EXPECT_EQ(Dialect::find("claude-stream-json", folder_.path()).version(), "9.9.9");
  EXPECT_EQ(Dialect::find("claude-stream-json", {}).version(), "1.0.0");
  EXPECT_EQ(Dialect::find("anthropic-messages", folder_.path()).id(), "anthropic-messages");
  EXPECT_THROW(Dialect::find("no-such-dialect", folder_.path()), std::runtime_error);
  EXPECT_THROW(Dialect::find("../claude-stream-json", folder_.path()), std::runtime_error);
}

TEST_F(DialectFile, NoJsonTooLargeOrMissingIsRefused) {
  write_file(folder_ / "a.json", "{");
  EXPECT_THROW(Dialect::load(folder_ / "a.json"), std::runtime_error);
  write_file(folder_ / "b.json", "[]");
  EXPECT_THROW(Dialect::load(folder_ / "b.json"), std::runtime_error);
  write_file(folder_ / "c.json", std::string((1u << 20u) + 1, ' '));
  EXPECT_THROW(Dialect::load(folder_ / "c.json"), std::runtime_error);
  EXPECT_THROW(Dialect::load(folder_ / "d.json"), std::runtime_error);
}

}  // namespace
}  // namespace attache::conformance
