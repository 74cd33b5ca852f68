// SPDX-License-Identifier: Apache-2.0
// The child of the SDK tests: does what its first argument says.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <dirent.h>
#include <unistd.h>

extern char** environ;

namespace {

std::vector<std::string> arguments;

bool put(int descriptor, const char* data, std::size_t size) {
  while (size != 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

void say(const std::string& text) {
  put(1, text.data(), text.size());
}

void flood(int descriptor, std::size_t size) {
  const std::string block(4096, 'x');
  for (; size != 0; size -= std::min(size, block.size())) put(descriptor, block.data(), std::min(size, block.size()));
}

std::size_t read_all() {
  std::vector<char> buffer(65536);
  std::size_t total = 0;
  for (;;) {
    const ssize_t count = ::read(0, buffer.data(), buffer.size());
    if (count <= 0) return total;
    total += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void wait_for_ever() {
  for (;;) ::pause();
}

int cat() {
  std::vector<char> buffer(65536);
  for (;;) {
    const ssize_t count = ::read(0, buffer.data(), buffer.size());
    if (count <= 0) return count == 0 ? 0 : 1;
    if (!put(1, buffer.data(), static_cast<std::size_t>(count))) return 1;
  }
}

int count() {
  say(std::to_string(read_all()));
  return 0;
}

int flood_and_exit() {
  const std::size_t size = std::stoul(arguments.at(1));
  flood(1, size);
  flood(2, size);
  return 0;
}

int flood_then_count() {
  flood_and_exit();
  return count();
}

int close_input() {
  ::close(0);
  flood(1, std::stoul(arguments.at(1)));
  return 0;
}

int exit_after() {
  std::vector<char> buffer(std::stoul(arguments.at(1)));
  for (std::size_t done = 0; done < buffer.size();) {
    const ssize_t got = ::read(0, buffer.data() + done, buffer.size() - done);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return 3;
}

int close_outputs() {
  ::close(1);
  ::close(2);
  wait_for_ever();
}

int say_and_wait() {
  say("one event\n");
  wait_for_ever();
}

int tick() {
  for (int i = 0; i < std::stoi(arguments.at(1)); ++i) {
    say(".");
    ::usleep(20'000);
  }
  return 0;
}

int ignore_term() {
  std::signal(SIGTERM, SIG_IGN);
  say("ready\n");
  wait_for_ever();
}

int exit_on_term() {
  std::signal(SIGTERM, [](int) { ::_exit(7); });
  say("ready\n");
  wait_for_ever();
}

// A grandchild that ignores TERM and hangs on to the pipes; tells its number.
void start_grandchild() {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGTERM, SIG_IGN);
    say(std::to_string(::getpid()) + "\n");
    wait_for_ever();
  }
}

int grandchild() {
  start_grandchild();
  wait_for_ever();
}

int orphan() {
  start_grandchild();
  if (arguments.size() > 1 && arguments[1] == "after-input") read_all();
  if (arguments.size() > 2) {
    flood(1, std::stoul(arguments[2]));
    put(1, "last", 4);
  }
  flood(2, 50'000 - 4);
  put(2, "last", 4);
  return 5;
}

int abort_itself() {
  std::raise(SIGKILL);
  return 0;
}

int descriptors() {
  DIR* const directory = ::opendir("/proc/self/fd");
  while (const dirent* item = ::readdir(directory)) {
    if (item->d_name[0] != '.' && std::stoi(item->d_name) != ::dirfd(directory)) say(std::string(item->d_name) + " ");
  }
  ::closedir(directory);
  return 0;
}

int signals() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigBlk", 0) == 0 || line.rfind("SigIgn", 0) == 0 || line.rfind("SigCgt", 0) == 0) say(line + "\n");
  }
  return 0;
}

int show() {
  for (const std::string& argument : arguments) {
    say("[");
    say(argument);
    say("]");
  }
  say("\n");
  for (char** variable = environ; *variable != nullptr; ++variable) {
    say("{");
    say(*variable);
    say("}");
  }
  char directory[4096];
  say("\n");
  say(::getcwd(directory, sizeof directory));
  say("\n");
  say(::getpgrp() == ::getpid() ? "leader\n" : "follower\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  arguments.assign(argv + 1, argv + argc);
  const std::map<std::string, int (*)()> actions{{"cat", cat},
                                                 {"count", count},
                                                 {"flood", flood_and_exit},
                                                 {"flood-then-count", flood_then_count},
                                                 {"close-input", close_input},
                                                 {"exit-after", exit_after},
                                                 {"close-outputs", close_outputs},
                                                 {"say-and-wait", say_and_wait},
                                                 {"tick", tick},
                                                 {"ignore-term", ignore_term},
                                                 {"exit-on-term", exit_on_term},
                                                 {"grandchild", grandchild},
                                                 {"orphan", orphan},
                                                 {"abort", abort_itself},
                                                 {"descriptors", descriptors},
                                                 {"signals", signals},
                                                 {"show", show}};
  const auto action = actions.find(arguments.empty() ? "" : arguments[0]);
  return action == actions.end() ? 99 : action->second();
}
