// SPDX-License-Identifier: Apache-2.0
// The stages an input goes through. Each adds what is wrong to the findings and goes on as far as it makes sense.
#pragma once

#include <span>
#include <stop_token>

#include "inputs/subject.hpp"

namespace attache::inputs {

/// Bytes that are read of a source before its mode is chosen.
constexpr std::size_t peek_bytes = std::size_t{64} << 10;

/// Kind, source, name, media type and required mode, as the host wrote them.
void declare(Subject& subject, const Terms& terms, Findings& findings);

/// Opens the source, reads its first bytes, and resolves name, media type and, where the header tells, pixels. A URL is
/// not opened. Throws Error(cancelled).
void peek(Subject& subject, Findings& findings);

/// Name and media type of what is not opened, by what the host wrote. The type may stay empty.
void resolve_unopened(Subject& subject);

/// Chooses the mode.
void choose_mode(Subject& subject, const Terms& terms, Findings& findings);

/// Its copy has to lie in the workspace.
bool is_placed(const Subject& subject, const Terms& terms) noexcept;

/// Size expectation, limits and exact bounds, by what is known so far. `whole`: the content was read to its end.
void check_limits(const Subject& subject, const Terms& terms, bool whole, Findings& findings);

/// The number of inputs, before any source is opened.
void check_count(std::size_t count, const Terms& terms, Findings& findings);

/// What holds for the inputs together, by what is known so far.
void check_set(std::span<const Subject> subjects, const Terms& terms, Findings& findings);

/// Bytes of an input after which its copy can be given up, because a limit of its own was passed by then.
std::uint64_t copy_limit(const Subject& subject, const Terms& terms) noexcept;
/// The same for all inputs together.
std::uint64_t total_limit(const Terms& terms) noexcept;
void add_total_limit(const Terms& terms, Findings& findings);

Exactness exactness(const Subject& subject) noexcept;
bool wants_exact(const Subject& subject, const Terms& terms) noexcept;

/// Throws Error(cancelled) when a stop was requested.
void check_stop(const std::stop_token& stop);

}  // namespace attache::inputs
