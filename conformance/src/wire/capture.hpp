// SPDX-License-Identifier: Apache-2.0
// What the tap or the recorder saw, read through a dialect.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <attache/input.hpp>

#include "wire/dialect.hpp"

namespace attache::conformance {

/// One element of a turn's content, in wire order.
struct CapturedItem {
  enum class Type { text, block, unknown } type = Type::unknown;
  std::string text;                 ///< text items up to 1 MiB, verbatim; the value of "path" blocks
  const BlockRule* rule = nullptr;  ///< blocks; valid while a copy of the dialect lives
  std::string media_type;           ///< as the wire says
  std::string label;                ///< display name as the wire says; empty: none
  bool well_encoded = false;        ///< the value is strictly of the rule's encoding; true for text
  std::uint64_t size = 0;           ///< of the decoded value (text: of its UTF-8); 0 when not well encoded
  input::Digest sha256{};           ///< likewise
  std::string shape;  ///< the block with every string over 64 bytes replaced by "<N bytes>": publishable once redacted
};

/// One turn: a user message with its content.
struct CapturedTurn {
  std::vector<CapturedItem> items;
};

/// A file the driver referred to by path in argv or in a text, as the provider found it while the run lived.
struct ReferencedFile {
  std::string path;      ///< as the driver wrote it
  std::string found_in;  ///< "argv" or "text"
  bool readable = false;
  std::uint64_t size = 0;
  input::Digest sha256{};
};

/// A header of an HTTP request. Values of headers that authorize are never stored: `value` is then
/// "sha256:" and the digest of the value.
struct CapturedHeader {
  std::string name, value;
};

/// One provider process, or one HTTP request.
struct Capture {
  std::vector<std::string> argv;
  std::vector<std::string> environment_names;
  std::string working_directory;
  std::int64_t pid = 0;
  std::vector<std::int64_t> grandchildren;  ///< processes the tap started and left behind, by its script
  std::vector<CapturedTurn> turns;
  std::vector<ReferencedFile> files;
  std::vector<std::string> faults;   ///< of the framing: no JSON, no known frame, …; no content in them
  std::filesystem::path stdin_file;  ///< every byte as it came (HTTP: the request body)
  std::uint64_t stdin_bytes = 0;
  bool stdin_closed = false;            ///< the driver closed it before the process ended (HTTP: the body was whole)
  bool finished = false;                ///< the script ran to its end (not killed before it)
  std::string target;                   ///< HTTP: method and path
  std::vector<CapturedHeader> headers;  ///< HTTP
};

/// Every place in a file where a mark turns up: raw, base64 (three alignments), base64url, hex.
struct MarkHit {
  std::string form;  ///< "raw", "base64/0" … "base64/2", "base64url/0" …, "hex", "HEX"
  std::uint64_t offset = 0;
};
/// Streams: any size in bounded memory. At most 10,000 hits. Throws std::system_error.
std::vector<MarkHit> find_mark(const std::filesystem::path& file, const std::string& mark);

/// A stand-in CLI in a folder of its own: install, point the driver at executable(), read captures() afterwards.
class TapHome {
 public:
  /// `scenario`: a name from the dialect's "answers" (ok, refuse, slow, cut, crash, hang, flood, deaf, …). Throws
  /// std::invalid_argument for a scenario the dialect lacks, std::runtime_error when the folder cannot be set up.
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
