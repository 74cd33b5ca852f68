// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/shown.hpp>

#include "json_access.hpp"

namespace attache::claude {

/// What the CLI said about the inputs of a turn, and the receipts that follow from it.
class Receipts {
 public:
  explicit Receipts(const sdk::Request& request) : request_(request) {}

  /// The user message that the CLI shows as the one it will send. Only the first one of a turn counts.
  void replayed(const Json& content, const sdk::Frame& frame);
  /// The CLI dropped media of this sort ("image", "document") after the provider refused it.
  void media_removed(const std::string& media);

  /// One receipt for each input.
  void emit(sdk::Run& run) const;

 private:
  static sdk::Shown read(const Json& block, const sdk::Frame& frame);

  const sdk::Request& request_;
  std::optional<std::vector<sdk::Shown>> shown_;  ///< every block of the replayed message
  bool images_removed_ = false;
  bool documents_removed_ = false;
};

}  // namespace attache::claude
