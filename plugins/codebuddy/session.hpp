// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <attache/sdk/request.hpp>

#include "config.hpp"

namespace attache::codebuddy {

/// The session of a turn: a new one, an earlier one, or a fork of it.
struct Session {
  std::string id;  ///< to go on from; empty: a new one
  bool fork = false;
  bool kept = false;  ///< the turn belongs to a thread: its checkpoint is wanted

  std::string checkpoint(const std::string& now) const;
};

/// Throws sdk::Failure: resume_rejected `checkpoint_invalid`; invalid `home_required` for a thread of a hermetic driver
/// without a place that stays, `fork_of_nothing`.
Session session_of(const sdk::Request& request, const Config& config);

/// The session that the CLI went on with has to be the one that was asked for (for a fork: another one). Throws
/// sdk::Failure (resume_rejected, `other_session`).
void require_session(const Session& asked, const std::string& now);

}  // namespace attache::codebuddy
