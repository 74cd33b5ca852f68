// SPDX-License-Identifier: Apache-2.0
// The kit's rules as data: conformance/registry.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attache::conformance {

enum class Severity { must, once_declared, should, info };
std::string_view to_string(Severity severity) noexcept;

/// One check as the registry describes it. Ids are never reused.
struct CheckEntry {
  std::string id, slug, title, rule, clause;
  Severity severity = Severity::must;
  unsigned since_minor = 0;
  std::string gate;                   ///< capability without which it does not apply; empty: always applies
  bool dynamic = false;               ///< runs driver code, in a process of its own
  std::string coordinates;            ///< what the matrix runs over; empty: none
  std::vector<std::string> controls;  ///< the broken drivers that must fail it
  std::string unproven;               ///< why no control fails it yet; empty when there are controls

  /// "WIRE-101-typed-block": what filters match as well.
  std::string full_name() const { return id + "-" + slug; }
  /// A failure makes the driver not conformant.
  bool binding() const noexcept { return severity == Severity::must || severity == Severity::once_declared; }
};

/// Immutable.
class Registry {
 public:
  /// Throws std::runtime_error with every fault.
  static Registry parse(std::string_view json);
  /// The one this kit was built with.
  static const Registry& built_in();

  const std::vector<CheckEntry>& entries() const noexcept { return entries_; }
  const CheckEntry* find(std::string_view id) const noexcept;
  /// Position of an id in the registry; entries().size() when unknown.
  std::size_t position(std::string_view id) const noexcept;

 private:
  std::vector<CheckEntry> entries_;
};

/// Shell-like: `*` and `?`; matches the id or id-slug.
bool matches(const CheckEntry& entry, std::string_view glob);

}  // namespace attache::conformance
