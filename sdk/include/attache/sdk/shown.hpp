// SPDX-License-Identifier: Apache-2.0
// What a provider showed of an input, measured, and what stands in a transcript in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <attache/sdk/json_lines.hpp>
#include <attache/sdk/request.hpp>
#include <attache/sdk/run.hpp>
#include <attache/sdk/sha256.hpp>

namespace attache::sdk {

/// Bytes that a provider showed. Without a digest they could not be told: no strict base64, not a data URL.
/// \since 0.2
struct Measured {
  std::string media_type;  ///< of a data URL
  std::uint64_t size = 0;
  std::optional<Digest> sha256;
};

/// Of a JSON string of `frame` that is base64, or text as it is. \since 0.2
Measured measure_base64(std::string_view value, const Frame& frame);
Measured measure_text(std::string_view value, const Frame& frame);
/// Of one that is a base64 data URL. \since 0.2
Measured measure_data_url(std::string_view value, const Frame& frame);

/// One block of the message that a provider shows as the one it will send.
/// \since 0.2
struct Shown {
  std::string type;  ///< the provider's word for the block
  std::string text;  ///< of a text that is short enough to be kept
  Measured data;
};

/// Compares what was shown with what was given. `same_sort(input, block)`: whether the block is one that the input
/// should have become. One thread; request and blocks outlive it. \since 0.2
class ShownInputs {
 public:
  using SameSort = std::function<bool(const Input&, const Shown&)>;
  /// `before`: how many blocks stand before the first input when nothing was added or lost.
  ShownInputs(const Request& request, const std::vector<Shown>& blocks, std::size_t before, SameSort same_sort);

  /// The block it became: the one at its place where the numbers agree, else the next with its digest (for a workspace
  /// reference: the next of its sort, as no bytes stand there); nullptr: none.
  const Shown* of(const Input& input) const;
  /// exact, altered (also when it stands there more often than it was given) or dropped, with what was taken; unknown
  /// for a workspace reference that was shown.
  void report(const Input& input, Run& run) const;

 private:
  bool too_often(const Input& input) const;

  const Request& request_;
  const std::vector<Shown>& blocks_;
  const SameSort same_sort_;
  std::vector<const Shown*> became_;
};

/// "[removed: <what> of N bytes, sha256 …]". \since 0.2
std::string removed_note(std::uint64_t size, const Digest& digest, std::string_view what);
/// The same for a string that was too long to keep. \since 0.2
std::string removed_note(const LongString& string);

}  // namespace attache::sdk
