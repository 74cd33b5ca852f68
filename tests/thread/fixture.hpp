// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <attache/error.hpp>
#include <attache/sdk/child_process.hpp>
#include <attache/thread_store.hpp>

namespace attache::testing {

/// A private directory with a file name for a store.
class StoreDirectory {
 public:
  StoreDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "attache-threads-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
    file = path / "threads.db";
  }
  StoreDirectory(const StoreDirectory&) = delete;
  StoreDirectory& operator=(const StoreDirectory&) = delete;
  ~StoreDirectory() {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(path);
  }
  std::filesystem::path path, file;
};

inline ThreadRecord record(std::string checkpoint, std::uint64_t revision = 0) {
  ThreadRecord made;
  made.fingerprint = "00ff";
  made.checkpoint_json = std::move(checkpoint);
  made.revision = revision;
  return made;
}

/// The reason of the Error that `work` throws; its text must name nothing of the file, nor speak SQL.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), errc::thread_store);
    for (const char* const word : {"threads.db", "/tmp", "SELECT", "PRAGMA", "INSERT", "sqlite"}) {
      EXPECT_EQ(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
    return error.reason();
  }
  return "nothing was thrown";
}

inline sdk::ChildProcess start(const std::string& what, const std::filesystem::path& file,
                               const std::vector<std::string>& more = {}) {
  sdk::SpawnOptions options;
  options.executable = THREAD_STORE_CHILD;
  options.arguments = {what, file.string()};
  options.arguments.insert(options.arguments.end(), more.begin(), more.end());
  return sdk::ChildProcess::spawn(options);
}

/// The next line of the child's output, for as many as are wanted; empty when it ended.
inline std::string line_of(sdk::ChildProcess& child, int number = 1) {
  std::string text;
  sdk::ChildProcess::Handlers handlers;
  handlers.on_stdout = [&](std::string_view bytes) {
    text += bytes;
    return std::count(text.begin(), text.end(), '\n') < number;
  };
  sdk::ChildProcess::Limits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  child.pump(handlers, limits);
  for (; number > 1; --number) text.erase(0, text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

inline sdk::ExitStatus end(sdk::ChildProcess& child) {
  child.close_input();
  return child.end(std::chrono::seconds(60));
}

}  // namespace attache::testing
