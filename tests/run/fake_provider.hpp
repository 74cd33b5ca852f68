// SPDX-License-Identifier: Apache-2.0
// A provider that keeps sessions, and the driver's way to it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fake_driver.hpp"

namespace attache::test {

/// What one entry of the driver was asked for.
struct SeenTurn {
  std::string prompt, thread, checkpoint, schema;
  std::vector<std::string> inputs;  ///< contents
  bool fork = false;
};

class FakeProvider {
 public:
  /// The run function of a driver: resumes, forks, answers "answer N" and gives a checkpoint.
  attache_status turn(const attache_request& request, const Calls& calls);

  /// Called with the session's prompts and contents once the turn is delivered; another status than OK ends it.
  std::function<attache_status(const std::vector<std::string>& session, const Calls& calls)> judge;
  /// Called before anything is sent.
  std::function<attache_status(const Calls& calls)> launch;
  std::vector<SeenTurn> seen;
  std::map<std::string, std::vector<std::string>> sessions;

 private:
  std::mutex mutex_;
};

}  // namespace attache::test
