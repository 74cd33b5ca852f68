// SPDX-License-Identifier: Apache-2.0
#include "leader_posix.hpp"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process_table_posix.hpp"

namespace attache::sdk {
namespace {

constexpr auto kPidDescriptor = static_cast<idtype_t>(3);  // P_PIDFD, which glibc's header may lack

int wait_for(const Descriptor& descriptor, pid_t pid, siginfo_t& info, int options) noexcept {
  int result = 0;
  do {
    info = {};
    result = descriptor ? ::waitid(kPidDescriptor, static_cast<id_t>(descriptor.get()), &info, options)
                        : ::waitid(P_PID, static_cast<id_t>(pid), &info, options);
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

Leader::Leader(pid_t pid) noexcept
    : pid_(pid), descriptor_(Descriptor::above_standard(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)))) {
  // A host that reaps by itself may have done so already, and the number may be another process's.
  if (const auto found = identify(pid)) start_time_ = found->start_time;
  refresh();
  if (reaped_) {
    descriptor_.reset();
    start_time_ = 0;
  }
}

void Leader::refresh() noexcept {
  if (reaped_) return;
  siginfo_t info{};
  if (wait_for(descriptor_, pid_, info, WEXITED | WNOHANG | WNOWAIT) == 0) {
    gone_ = gone_ || info.si_pid != 0;
  } else if (errno != ECHILD && descriptor_) {
    // A system that has such descriptors but does not wait for them.
    descriptor_.reset();
    refresh();
  } else {
    gone_ = true;
    reaped_ = true;
  }
}

bool Leader::gone() noexcept {
  if (!gone_) refresh();
  return gone_;
}

bool Leader::group_alive() noexcept {
  refresh();
  if (!gone_) return true;
  // Reading the whole process table takes longer than starting a process; a group without a member needs none. Before
  // the leader is reaped it is a member itself.
  if (reaped_ && pid_ > 1 && ::kill(-pid_, 0) != 0 && errno == ESRCH) return false;
  return group_is_alive(pid_, reaped_);
}

void Leader::signal_group(int signal) noexcept {
  refresh();
  if (pid_ <= 1 || pid_ == ::getpgrp()) return;
  if (reaped_ && !group_alive()) return;
  ::kill(-pid_, signal);
  if (signal == SIGKILL && !gone_) ::kill(pid_, signal);
}

ExitStatus Leader::reap() noexcept {
  siginfo_t info{};
  if (reaped_ || wait_for(descriptor_, pid_, info, WEXITED | WNOHANG) != 0) {
    reaped_ = true;
  } else if (info.si_pid != 0) {
    reaped_ = true;
    status_.kind = info.si_code == CLD_EXITED ? ExitStatus::Kind::exited : ExitStatus::Kind::signalled;
    status_.value = info.si_status;
  }
  gone_ = gone_ || reaped_;
  return status_;
}

}  // namespace attache::sdk
