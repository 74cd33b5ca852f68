// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/program_output.hpp>

namespace attache::sdk {
namespace {

class StringSource : public ByteSource {
 public:
  explicit StringSource(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = bytes_.copy(buffer.data(), buffer.size(), at_);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string program_output(const SpawnOptions& options, std::chrono::milliseconds patience,
                           const ProgramQuestion& question, const std::stop_token& stop) {
  std::string printed;
  PumpEnd ended{};
  try {
    ChildProcess process = ChildProcess::spawn(options);
    const std::stop_callback on_stop(stop, [&process] { process.request_stop(); });
    if (!question.input.empty()) process.send(std::make_unique<StringSource>(question.input));
    if (!question.answered) process.close_input();
    ChildProcess::Handlers on;
    on.on_stdout = [&](std::string_view chunk) {
      printed += chunk.substr(0, question.kept - std::min(question.kept, printed.size()));
      return !question.answered || !question.answered(printed);
    };
    ChildProcess::Limits limits;
    limits.deadline = std::chrono::steady_clock::now() + patience;
    ended = process.pump(on, limits);
    process.end(std::chrono::milliseconds(250));
  } catch (const SpawnError& error) {
    throw Failure(Status::launch_failed, error.reason(), "the provider's program could not be started");
  }
  if (ended == PumpEnd::cancelled) throw Failure(Status::cancelled, "cancelled", "the run was cancelled");
  if (ended == PumpEnd::deadline) {
    throw Failure(Status::timeout, "deadline", "the provider's program did not answer in time");
  }
  return printed;
}

}  // namespace attache::sdk
