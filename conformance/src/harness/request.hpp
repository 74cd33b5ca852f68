// SPDX-License-Identifier: Apache-2.0
// Requests by hand: also ones that core would never let through.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <attache/sdk/spi.h>

#include "canary/canary.hpp"

namespace attache::conformance {

/// Owns everything a request points at. Not movable once get() was called.
class RequestBuilder {
 public:
  explicit RequestBuilder(std::string prompt) : prompt_(std::move(prompt)) {}
  RequestBuilder(const RequestBuilder&) = delete;
  RequestBuilder& operator=(const RequestBuilder&) = delete;

  /// Offers the canary as it is; the returned struct may be changed before get().
  attache_input& add(const Canary& canary, std::uint32_t mode);
  /// Another name or type for an input, kept alive here.
  void rename(attache_input& input, std::string name);
  void retype(attache_input& input, std::string media_type);
  const attache_request& get();

 private:
  const std::string& keep(std::string text);
  std::string prompt_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::unique_ptr<attache_input>> inputs_;
  std::vector<const attache_input*> pointers_;
  attache_request request_{};
};

}  // namespace attache::conformance
