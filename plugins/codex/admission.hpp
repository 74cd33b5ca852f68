// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <attache/sdk/request.hpp>

namespace attache::codex {

/// What the driver cannot do is refused here, before anything is started. Throws sdk::Failure with the index of the
/// first offending input: unsupported_kind, unsupported_mode, unsupported_media_type, too_large (`size_limit`),
/// invalid `exact_impossible` for a GIF that has to stay exact; resume_rejected `checkpoint_invalid`; invalid for the
/// other things that were not declared.
void admit(const sdk::Request& request);

}  // namespace attache::codex
