// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/stream_json_events.hpp>

#include "json_access.hpp"
#include "limits.hpp"
#include "session.hpp"

namespace attache::codebuddy {

/// Turns the CLI's frames into events of the run.
class Turn {
 public:
  /// `version`: of the CLI, where it told one.
  Turn(const sdk::Request& request, sdk::Run& run, const Session& session, const std::optional<Version>& version)
      : request_(request),
        run_(run),
        session_(session),
        version_(version),
        events_(run, "the codebuddy CLI wrote a line that is not a frame") {}

  /// True at the result of a turn that went well; throws sdk::Failure at any other, with the receipts told before.
  bool take(const sdk::Frame& frame);

 private:
  void init(const Json& document);
  void result(const Json& document, const sdk::Frame& frame);

  const sdk::Request& request_;
  sdk::Run& run_;
  const Session& session_;
  const std::optional<Version> version_;
  sdk::StreamJsonEvents<Json> events_;
  std::string id_;  ///< of the session that the CLI works in
};

}  // namespace attache::codebuddy
