// SPDX-License-Identifier: Apache-2.0
#include "check/watch_filter_posix.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace attache::conformance {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t native_architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t first_foreign_number = 0x40000000u;  // x32
constexpr std::initializer_list<int> watched = {SYS_execve, SYS_execveat, SYS_connect,
                                                SYS_fork,   SYS_vfork,    SYS_io_uring_setup};
#elif defined(__aarch64__)
constexpr std::uint32_t native_architecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t first_foreign_number = 0x80000000u;
constexpr std::initializer_list<int> watched = {SYS_execve, SYS_execveat, SYS_connect, SYS_io_uring_setup};
#else
#error "the kernel watch knows x86-64 and arm64"
#endif

class Program {
 public:
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void verdict(std::uint32_t action) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }
  /// When the comparison holds, the next instruction is carried out; else it is jumped over.
  void when(std::uint16_t comparison, std::uint32_t value) { branch(comparison, value, 0, 1); }
  void unless(std::uint16_t comparison, std::uint32_t value) { branch(comparison, value, 1, 0); }
  /// Like when(), for a block of `length` instructions.
  void when_block(std::uint32_t number, std::uint8_t length) { branch(BPF_JEQ, number, 0, length); }
  std::vector<sock_filter>& code() { return code_; }

 private:
  void branch(std::uint16_t comparison, std::uint32_t value, std::uint8_t yes, std::uint8_t no) {
    code_.push_back(BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, yes, no));
  }
  std::vector<sock_filter> code_;
};

constexpr std::size_t low_half(std::size_t argument) {
  return offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
}

Program build() {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.unless(BPF_JEQ, native_architecture);
  program.verdict(SECCOMP_RET_USER_NOTIF);
  program.load(offsetof(seccomp_data, nr));
  program.when(BPF_JGE, first_foreign_number);
  program.verdict(SECCOMP_RET_USER_NOTIF);
  for (int number : watched) {
    program.when(BPF_JEQ, static_cast<std::uint32_t>(number));
    program.verdict(SECCOMP_RET_USER_NOTIF);
  }
  // Its flags lie in memory, out of a filter's reach: without it libraries fall back to clone.
  program.when(BPF_JEQ, SYS_clone3);
  program.verdict(SECCOMP_RET_ERRNO | ENOSYS);
  program.when_block(SYS_clone, 4);
  program.load(low_half(0));
  program.unless(BPF_JSET, CLONE_THREAD);
  program.verdict(SECCOMP_RET_USER_NOTIF);
  program.verdict(SECCOMP_RET_ALLOW);
  program.when_block(SYS_sendto, 6);
  program.load(low_half(4));
  program.unless(BPF_JEQ, 0);
  program.verdict(SECCOMP_RET_USER_NOTIF);
  program.load(low_half(4) + sizeof(std::uint32_t));
  program.unless(BPF_JEQ, 0);
  program.verdict(SECCOMP_RET_USER_NOTIF);
  program.load(offsetof(seccomp_data, nr));
  program.when_block(SYS_sendmsg, 3);
  program.load(low_half(2));
  program.when(BPF_JSET, MSG_FASTOPEN);
  program.verdict(SECCOMP_RET_USER_NOTIF);
  program.verdict(SECCOMP_RET_ALLOW);
  return program;
}

}  // namespace

int install_watch_filter() noexcept {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  Program program = build();
  sock_fprog filter{static_cast<unsigned short>(program.code().size()), program.code().data()};
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

}  // namespace attache::conformance
