// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <system_error>

#include <arpa/inet.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/processes.hpp"
#include "check/watch.hpp"
#include "check/watch_filter_posix.hpp"

namespace attache::conformance {

struct Watch::Page {
  static constexpr std::uint32_t most = 64;
  std::atomic<std::uint64_t> executions{0}, processes{0}, connections{0}, foreign{0};
  sockaddr_storage kept[most]{};
  std::uint32_t sizes[most]{};
  std::atomic<std::uint32_t> destinations{0};  ///< written by the supervisor alone
  std::atomic<bool> lost{false};
  std::atomic<bool> active{false};
  std::atomic<std::int64_t> supervisor{0}, worker{0};
};

namespace {

WatchDestination readable_destination(const sockaddr_storage& address, std::uint32_t size) {
  WatchDestination out;
  char text[INET6_ADDRSTRLEN] = {};
  if (address.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof(four));
    out = {WatchDestination::Family::internet, ::inet_ntop(AF_INET, &four.sin_addr, text, sizeof(text)),
           ntohs(four.sin_port)};
  } else if (address.ss_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof(six));
    out = {WatchDestination::Family::internet, ::inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof(text)),
           ntohs(six.sin6_port)};
  } else if (address.ss_family == AF_UNIX) {
    sockaddr_un local{};
    std::memcpy(&local, &address, std::min<std::size_t>(size, sizeof(local)));
    const std::size_t length = size - std::min<std::size_t>(size, offsetof(sockaddr_un, sun_path));
    std::string path(local.sun_path, std::min(length, sizeof(local.sun_path)));
    if (!path.empty() && path[0] == '\0') path[0] = '@';
    out = {WatchDestination::Family::local, path.substr(0, path.find('\0')), 0};
  } else if (address.ss_family == AF_NETLINK) {
    out = {WatchDestination::Family::kernel, {}, 0};
  }
  return out;
}

}  // namespace

bool Watch::active() const noexcept {
  return page_->active.load();
}

WatchCounts Watch::counts() const noexcept {
  return {page_->executions.load(), page_->processes.load(), page_->connections.load(), page_->foreign.load()};
}

bool Watch::destinations_lost() const noexcept {
  return page_->lost.load();
}

std::vector<WatchDestination> Watch::destinations() const {
  std::vector<WatchDestination> list;
  for (std::uint32_t i = 0; i < page_->destinations.load(); ++i) {
    list.push_back(readable_destination(page_->kept[i], page_->sizes[i]));
  }
  return list;
}

std::vector<std::int64_t> Watch::descendants() const {
  std::vector<std::int64_t> found;
  for (const auto& process : list_processes()) {
    bool own = process.parent == page_->worker.load();
    bool orphan = process.parent == page_->supervisor.load() && process.id != page_->worker.load();
    if (own || (orphan && process.state != 'Z')) found.push_back(process.id);
  }
  return found;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Linux answers through nscd's socket are a matter of the C library, not of the driver.
bool is_name_cache(pid_t pid, std::uint64_t address, std::uint64_t size) {
  sockaddr_un target{};
  iovec local{&target, std::min<std::size_t>(sizeof(target) - 1, size)};
  iovec remote{};
  std::memcpy(&remote.iov_base, &address, sizeof(address));
  remote.iov_len = local.iov_len;
  if (::process_vm_readv(pid, &local, 1, &remote, 1, 0) <= 0) return false;
  return target.sun_family == AF_UNIX && std::strcmp(target.sun_path, "/var/run/nscd/socket") == 0;
}

bool read_memory(pid_t pid, std::uint64_t address, void* into, std::size_t size) {
  iovec local{into, size};
  iovec remote{};
  std::memcpy(&remote.iov_base, &address, sizeof(address));
  remote.iov_len = size;
  return ::process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

void keep_destination(Watch::Page& page, pid_t pid, std::uint64_t address, std::uint64_t size) {
  sockaddr_storage wanted{};
  size = std::min<std::uint64_t>(size, sizeof(wanted));
  if (size < sizeof(sa_family_t) || !read_memory(pid, address, &wanted, size)) {
    page.lost = true;
    return;
  }
  if (wanted.ss_family == AF_UNSPEC) return;  // takes an association back
  const std::uint32_t known = page.destinations.load();
  for (std::uint32_t i = 0; i < known; ++i) {
    if (page.sizes[i] == size && std::memcmp(&page.kept[i], &wanted, sizeof(wanted)) == 0) return;
  }
  if (known == Watch::Page::most) {
    page.lost = true;
    return;
  }
  page.kept[known] = wanted;
  page.sizes[known] = static_cast<std::uint32_t>(size);
  page.destinations = known + 1;
}

void keep_message_destination(Watch::Page& page, pid_t pid, std::uint64_t address) {
  msghdr message{};
  std::uint64_t name = 0;
  if (!read_memory(pid, address, &message, sizeof(message))) {
    page.lost = true;
    return;
  }
  std::memcpy(&name, &message.msg_name, sizeof(name));
  keep_destination(page, pid, name, message.msg_namelen);
}

void count(Watch::Page& page, const seccomp_notif& call) {
  const auto pid = static_cast<pid_t>(call.pid);
  switch (call.data.nr) {
    case SYS_execve:
    case SYS_execveat:
      ++page.executions;
      break;
    case SYS_connect:
      if (is_name_cache(pid, call.data.args[1], call.data.args[2])) break;
      ++page.connections;
      keep_destination(page, pid, call.data.args[1], call.data.args[2]);
      break;
    case SYS_sendto:
      ++page.connections;
      keep_destination(page, pid, call.data.args[4], call.data.args[5]);
      break;
    case SYS_sendmsg:
      ++page.connections;
      keep_message_destination(page, pid, call.data.args[1]);
      break;
    case SYS_io_uring_setup:
      ++page.foreign;
      break;
    default:  // fork, vfork, clone; another architecture's numbers count as what they may be
      ++page.processes;
  }
}

void answer(int listener, Watch::Page& page) {
  seccomp_notif call{};
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return;
  count(page, call);
  seccomp_notif_resp reply{};
  reply.id = call.id;
  reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

void send_descriptor(int channel, int descriptor) {
  char byte = descriptor >= 0 ? 'y' : 'n';
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  while (::sendmsg(channel, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}

int receive_descriptor(int channel) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  while (::recvmsg(channel, &message, MSG_CMSG_CLOEXEC) < 0) {
    if (errno != EINTR) return -1;
  }
  int descriptor = -1;
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message); byte == 'y' && header != nullptr) {
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
  }
  return descriptor;
}

[[noreturn]] void work(int channel, const sigset_t& mask, Watch::Page& page,
                       const std::function<int(const Watch&)>& body) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  page.worker = ::getpid();
  int listener = install_watch_filter();
  send_descriptor(channel, listener);
  if (listener >= 0) ::close(listener);
  char go = 0;
  while (::read(channel, &go, 1) < 0 && errno == EINTR) continue;
  ::close(channel);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  int code = body(Watch(&page));
  std::fflush(nullptr);
  ::_exit(code);
}

/// Ends everything below this process, which is a subreaper.
void end_descendants() {
  auto deadline = Clock::now() + std::chrono::seconds(5);
  for (;;) {
    for (const auto& process : list_processes()) {
      if (process.parent == ::getpid()) ::kill(static_cast<pid_t>(process.id), SIGKILL);
    }
    pid_t gone = ::waitpid(-1, nullptr, WNOHANG);
    if (gone < 0 || Clock::now() > deadline) return;
    if (gone == 0) ::poll(nullptr, 0, 1);
  }
}

bool reap(pid_t worker, WorkerEnd& end) {
  int status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid != worker) continue;
    bool signalled = WIFSIGNALED(status);
    end = {signalled ? WorkerEnd::Kind::signalled : WorkerEnd::Kind::exited,
           signalled ? WTERMSIG(status) : WEXITSTATUS(status)};
    return true;
  }
  return false;
}

WorkerEnd watch_over(pid_t worker, int listener, int signals, Watch::Page& page, std::chrono::milliseconds limit) {
  WorkerEnd end;
  auto deadline = Clock::now() + limit;
  pollfd sources[2] = {{signals, POLLIN, 0}, {listener, POLLIN, 0}};
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      ::kill(worker, SIGKILL);
      ::waitpid(worker, nullptr, 0);
      return {WorkerEnd::Kind::timed_out, 0};
    }
    if (::poll(sources, listener >= 0 ? 2 : 1, static_cast<int>(left) + 1) < 0) continue;
    if ((sources[1].revents & POLLIN) != 0) answer(listener, page);
    if ((sources[1].revents & (POLLHUP | POLLERR)) != 0) sources[1].fd = -1;
    if ((sources[0].revents & POLLIN) != 0) {
      signalfd_siginfo drained;
      (void)!::read(signals, &drained, sizeof(drained));
      if (reap(worker, end)) return end;
    }
  }
}

}  // namespace

WorkerEnd supervise(std::chrono::milliseconds limit, const std::function<int(const Watch&)>& body) {
  void* memory = ::mmap(nullptr, sizeof(Watch::Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "watch page");
  auto* page = new (memory) Watch::Page;
  page->supervisor = ::getpid();
  int channel[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) {
    throw std::system_error(errno, std::generic_category(), "watch channel");
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  sigset_t children, before;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &children, &before);
  pid_t worker = ::fork();
  if (worker < 0) throw std::system_error(errno, std::generic_category(), "watch worker");
  if (worker == 0) {
    ::close(channel[0]);
    work(channel[1], before, *page, body);
  }
  ::close(channel[1]);
  int signals = ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  int listener = receive_descriptor(channel[0]);
  page->active = listener >= 0;
  (void)!::write(channel[0], "g", 1);
  ::close(channel[0]);
  WorkerEnd end = watch_over(worker, listener, signals, *page, limit);
  end_descendants();
  if (listener >= 0) ::close(listener);
  ::close(signals);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::munmap(memory, sizeof(Watch::Page));
  return end;
}

}  // namespace attache::conformance
