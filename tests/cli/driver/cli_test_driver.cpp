// SPDX-License-Identifier: Apache-2.0
// Answers with what it was given, or misbehaves as `behave` says. Starts no process.
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>

#include <attache/sdk/driver.hpp>
#include <attache/sdk/sha256.hpp>

namespace {

using attache::sdk::Failure;
using attache::sdk::Request;
using attache::sdk::Run;
using attache::sdk::Status;

class CliTest : public attache::sdk::Driver {
 public:
  explicit CliTest(std::string_view config) : config_(config) {}

  void run(const Request& request, Run& run) override {
    run.not_delivered();
    run.started("test-model", "cli-test 1");
    if (behaves("refuse")) {
      run.indeterminate();
      run.delivered();
      throw Failure(Status::provider_refused, "said_no", "the provider said no").provider_code(400);
    }
    run.indeterminate();
    run.delivered();
    if (behaves("wait")) {
      run.text("waiting\n");
      wait(run.stop_token());
    } else if (behaves("flood")) {
      flood(run);
    } else if (behaves("hostile")) {
      hostile(run);
    } else {
      echo(request, run);
    }
  }

 private:
  bool behaves(std::string_view how) const {
    return config_.find("\"behave\":\"" + std::string(how) + '"') != std::string::npos;
  }

  static void wait(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    stopped.wait(lock, stop, [] { return false; });
    throw Failure(Status::cancelled, "cancelled", "the run was cancelled");
  }

  [[noreturn]] static void flood(Run& run) {
    while (true) {
      run.text("a line of an answer without end\n");
    }
  }

  static void hostile(Run& run) {
    run.notice("odd", "notice \x1b[2J and \u202Ereversed");
    run.tool_call("1", "tool\x1b[31m", "{\"a\":\"\\u001b[2J\"}");
    run.tool_result("1",
                    "result \x1b]0;title\x07 and \xC2\x9B"
                    "31m",
                    true);
    run.text("answer \x1b[2J and \u202Eback\n");
  }

  void echo(const Request& request, Run& run) const {
    run.text("config ");
    run.text(config_);
    run.text("\nprompt ");
    run.text(request.prompt());
    run.text("\n");
    for (const attache::sdk::Input& input : request.inputs()) {
      run.text("input " + std::to_string(input.index()) + " kind " +
               std::to_string(static_cast<unsigned>(input.kind())) + " " + std::string(input.media_type()) + " " +
               std::to_string(input.size()) + " " + attache::sdk::to_hex(input.sha256()) +
               " name=" + std::string(input.name()) + "\n");
      run.receipt(input, attache::sdk::Receipt::unknown);
    }
  }

  const std::string config_;
};

}  // namespace

ATTACHE_DRIVER(CliTest)
