// SPDX-License-Identifier: Apache-2.0
// What may be seen of a run: no secret and no run-directory path anywhere, and no piece of an input in what a provider
// echoes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redact/input_windows.hpp"
#include "redact/pattern_set.hpp"
#include "redact/window_scanner.hpp"

namespace attache::redact {

/// What a redactor guards. An empty guard changes nothing.
struct Guard {
  std::string directory;  ///< the run directory, absolute; empty where nothing was copied
  std::string workspace;  ///< absolute or empty
  std::vector<GuardedInput> inputs;
  std::string history_directory{};     ///< another one of the same run, absolute or empty
  std::vector<std::string> further{};  ///< in the workspace, or of the driver; absolute or empty
  std::vector<std::string> secrets{};
};

/// The redactor of one run. One thread at a time. The input files are read when the first guarded text comes
/// that is long enough to hold a piece of one; they must exist until then.
class Redactor {
 public:
  /// Texts that come in pieces.
  enum class Channel : std::size_t { answer, reasoning, out, err, wire };
  static constexpr std::size_t channel_count = 5;

  explicit Redactor(const Guard& guard);
  Redactor(const Redactor&) = delete;
  Redactor& operator=(const Redactor&) = delete;

  /// A whole text whose content is the provider's own: only secrets and run-directory paths are replaced.
  std::string answer(std::string_view text) const;
  /// A whole text of the raw side (errors, notices): source paths and pieces of inputs too.
  std::string guarded(std::string_view text);
  /// The same for a JSON document, string by string: it stays a document, and strings without a find stay as written.
  std::string guarded_json(std::string_view json);
  std::string push(Channel channel, std::string_view piece);
  std::string flush(Channel channel);

 private:
  struct Stream {
    std::optional<StreamRedactor> paths;
    std::optional<WindowScanner> windows;
  };
  Stream& stream(Channel channel);
  const InputWindows& windows();
  std::string without_windows(std::string text, WindowScanner::Reach reach);

  std::vector<GuardedInput> inputs_;
  PatternSet answer_patterns_;
  PatternSet guarded_patterns_;
  std::unique_ptr<InputWindows> windows_;
  std::array<Stream, channel_count> streams_;
};

}  // namespace attache::redact
