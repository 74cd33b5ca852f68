// SPDX-License-Identifier: Apache-2.0
// Another process of the thread store tests: does what its first argument says to the store named by its second.
#include <cstdio>
#include <string>

#include <sys/types.h>
#include <unistd.h>

#include <attache/error.hpp>
#include <attache/thread_store.hpp>

#include "thread/sqlite.hpp"

namespace {

void say(const std::string& text) {
  std::puts(text.c_str());
  std::fflush(stdout);
}

void wait_for_end_of_input() {
  while (std::getchar() != EOF) {
  }
}

// Each round reads the number and writes the next one, as often as somebody else was faster.
int count(attache::ThreadStore& store) {
  say("ready");
  wait_for_end_of_input();
  for (int done = 0; done < 100;) {
    attache::ThreadRecord record = store.load("counter").value_or(attache::ThreadRecord{"f", "0", false, 0});
    record.checkpoint_json = std::to_string(std::stoi(record.checkpoint_json) + 1);
    if (store.save("counter", record)) ++done;
  }
  return 0;
}

int hold(attache::ThreadStore& store) {
  const auto lease = store.lease("thread");
  say(lease ? "held" : "busy");
  wait_for_end_of_input();
  return 0;
}

// Stays in the middle of a write that is large enough to have reached the log.
int write_half(attache::ThreadStore& store, const std::string& file) {
  const auto lease = store.lease("thread");
  attache::threads::Database database(file);
  database.run("PRAGMA cache_size=1");
  const attache::threads::Transaction transaction(database);
  database.run("UPDATE store SET revision=1000");
  database.run("UPDATE thread SET revision=1000, checkpoint=hex(zeroblob(1000000))");
  say(lease ? "writing" : "busy");
  wait_for_end_of_input();
  return 0;
}

int save_for_ever(attache::ThreadStore& store) {
  for (;;) {
    attache::ThreadRecord record = store.load("thread").value_or(attache::ThreadRecord{"f", "", false, 0});
    record.checkpoint_json.assign(20'000, static_cast<char>('a' + record.revision % 26));
    if (!store.save("thread", record)) return 1;
    say(std::to_string(store.load("thread")->revision));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const std::string what = argv[1], file = argv[2];
  try {
    // Root may write anywhere.
    if (what == "unprivileged" && ::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 70;
    const auto store = attache::sqlite_thread_store(file);
    if (what == "count") return count(*store);
    if (what == "hold") return hold(*store);
    if (what == "write-half") return write_half(*store, file);
    if (what == "save") return save_for_ever(*store);
    say("opened");
    return 0;
  } catch (const attache::Error& error) {
    say(error.reason() + ": " + error.what());
    return 2;
  }
}
