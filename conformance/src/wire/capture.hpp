// SPDX-License-Identifier: Apache-2.0
// What the tap or the recorder saw, read through a dialect.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <attache/input.hpp>

#include "wire/dialect.hpp"

namespace attache::conformance {

/// One element of a turn's content, in wire order.
struct CapturedItem {
  enum class Type { text, block, unknown } type = Type::unknown;
  std::string text;                 ///< text items
  const BlockRule* rule = nullptr;  ///< blocks; lives with the dialect
  std::string media_type;           ///< as the wire says
  bool well_encoded = false;        ///< the value is strictly of the rule's encoding
  std::uint64_t size = 0;           ///< of the decoded value
  input::Digest sha256{};           ///< of the decoded value
  std::string shape;                ///< the block with every value over 64 bytes replaced by its length: publishable once redacted
};

/// One turn: a user message with its content.
struct CapturedTurn {
  std::vector<CapturedItem> items;
};

/// A file the driver referred to by path in argv or in a text, as the provider found it while the run lived.
struct ReferencedFile {
  std::string path;
  bool readable = false;
  std::uint64_t size = 0;
  input::Digest sha256{};
};

/// One provider process, or one HTTP connection's request.
struct Capture {
  std::vector<std::string> argv;
  std::vector<std::string> environment_names;
  std::string working_directory;
  std::vector<CapturedTurn> turns;
  std::vector<ReferencedFile> files;
  std::vector<std::string> faults;   ///< of the framing: no JSON, no known frame, …
  std::filesystem::path stdin_file;  ///< every byte as it came (HTTP: the request body)
  std::uint64_t stdin_bytes = 0;
  bool stdin_closed = false;         ///< the driver closed it before the process ended
  std::string target;                ///< HTTP: method and path
};

/// Every place in a file where a mark turns up: raw, base64 (three alignments), base64url, hex.
struct MarkHit {
  std::string form;
  std::uint64_t offset = 0;
};
std::vector<MarkHit> find_mark(const std::filesystem::path& file, const std::string& mark);

/// A stand-in CLI in a folder of its own: install, point the driver at executable(), read captures() afterwards.
class TapHome {
 public:
  /// `scenario`: a name from the dialect's "answers" (ok, refuse, slow, cut, crash, hang, flood, deaf, …).
  static TapHome install(const std::filesystem::path& directory, const Dialect& dialect, const std::string& scenario);
  const std::filesystem::path& executable() const noexcept { return executable_; }
  /// One for each start, in order. A start that only asked for a version counts too (turns empty).
  std::vector<Capture> captures() const;
  /// How often the executable was started, also when it could not finish its record.
  std::size_t starts() const;

 private:
  TapHome(std::filesystem::path directory, Dialect dialect);
  std::filesystem::path directory_, executable_;
  Dialect dialect_;
};

}  // namespace attache::conformance
