// SPDX-License-Identifier: Apache-2.0
// A provider process that speaks JSON-RPC and outlives a turn.
#pragma once

#include <utility>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/json_rpc.hpp>

namespace attache::sdk {

/// The process and the conversation with it. RpcTurn makes one, and takes over one that an earlier turn released. One
/// thread at a time. The process group is gone when the object is.
/// \since 0.2
class RpcProcess {
 public:
  RpcProcess(ChildProcess process, RpcHandlers handlers, const RpcOptions& options)
      : process_(std::move(process)), peer_(process_, std::move(handlers), options) {}
  RpcProcess(const RpcProcess&) = delete;
  RpcProcess& operator=(const RpcProcess&) = delete;
  ~RpcProcess() { process_.end(kGrace); }

  ChildProcess& process() noexcept { return process_; }
  RpcPeer& peer() noexcept { return peer_; }

 private:
  static constexpr std::chrono::milliseconds kGrace{250};  ///< for each step of ending one that has nothing to do
  ChildProcess process_;
  RpcPeer peer_;
};

}  // namespace attache::sdk
