// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "check/channel.hpp"
#include "check/context.hpp"
#include "check/job.hpp"
#include "check/watch.hpp"
#include "check/worker.hpp"

namespace attache::conformance {
namespace {

/// Keeps standard output for the kit alone and gives the driver files instead.
int take_channel(const std::filesystem::path& scratch) {
  int channel = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 200);
  int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  int output = ::open((scratch / "stdout").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  int errors = ::open((scratch / "stderr").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::close(nothing);
  ::close(output);
  ::close(errors);
  return channel;
}

void tell(int channel, Message message) {
  write_channel(channel, encode(message));
}

int carry_out(const JobSpec& spec, const Watch& watch, int channel) {
  Message fault;
  fault.type = Message::Type::fault;
  std::optional<JobContext> context;
  try {
    context.emplace(spec, watch, channel);
    find_job(spec.job)->run(*context);
    return 0;
  } catch (const std::exception& error) {
    fault.text = context ? context->scrubbed(error.what()) : "the process of a check cannot be set up";
  } catch (...) {
    fault.text = "something that is no std::exception was thrown";
  }
  tell(channel, fault);
  return 1;
}

}  // namespace

void write_channel(int channel, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    ssize_t count = ::write(channel, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

int work_on(const std::filesystem::path& specification) {
  JobSpec spec = JobSpec::load(specification);
  if (find_job(spec.job) == nullptr) return 4;
  int channel = take_channel(spec.scratch);
  WorkerEnd end = supervise(std::chrono::milliseconds(spec.limit_ms),
                            [&](const Watch& watch) { return carry_out(spec, watch, channel); });
  Message message;
  message.type = Message::Type::ended;
  message.how = end.kind == WorkerEnd::Kind::exited      ? "exited"
                : end.kind == WorkerEnd::Kind::signalled ? "signalled"
                                                         : "timed-out";
  message.value = end.value;
  write_channel(channel, "\n");
  tell(channel, message);
  return 0;
}

}  // namespace attache::conformance
