// SPDX-License-Identifier: Apache-2.0
#include "fake_provider.hpp"

#include <fmt/format.h>

#include "scratch.hpp"

namespace attache::test {
namespace {

attache_status ended(const Calls& calls, attache_status status) {
  calls.completed("", status);
  return status;
}

}  // namespace

attache_status FakeProvider::turn(const attache_request& request, const Calls& calls) {
  SeenTurn now{std::string(view(request.prompt)),
               std::string(view(request.thread)),
               std::string(view(request.checkpoint)),
               std::string(view(request.output_schema)),
               {},
               request.fork == 1};
  for (std::uint64_t i = 0; i < request.input_count; ++i) {
    now.inputs.push_back(read_file(std::string(view(request.inputs[i]->local_path))));
  }
  std::string name;
  std::size_t number = 0;
  std::vector<std::string> content;
  calls.started();
  calls.delivery(ATTACHE_NOT_DELIVERED);
  {
    std::lock_guard lock(mutex_);
    seen.push_back(now);
    number = seen.size();
    name = now.checkpoint.empty() ? fmt::format("session-{}", number)
                                  : now.checkpoint.substr(12, now.checkpoint.size() - 14);
    const auto found = sessions.find(name);
    if (!now.checkpoint.empty() && found == sessions.end()) return ended(calls, ATTACHE_RESUME_REJECTED);
    if (found != sessions.end()) content = found->second;
    if (now.fork) name = fmt::format("session-{}", number);
  }
  if (const attache_status status = launch ? launch(calls) : ATTACHE_OK; status != ATTACHE_OK) {
    return ended(calls, status);
  }
  content.push_back(now.prompt);
  content.insert(content.end(), now.inputs.begin(), now.inputs.end());
  {
    std::lock_guard lock(mutex_);
    sessions[name] = content;
  }
  calls.delivery(ATTACHE_INDETERMINATE);
  calls.delivery(ATTACHE_DELIVERED);
  if (const attache_status status = judge ? judge(content, calls) : ATTACHE_OK; status != ATTACHE_OK) {
    return ended(calls, status);
  }
  calls.checkpoint(fmt::format(R"({{"session":"{}"}})", name));
  calls.completed(fmt::format("answer {}", number));
  return ATTACHE_OK;
}

}  // namespace attache::test
