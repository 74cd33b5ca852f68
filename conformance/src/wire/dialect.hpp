// SPDX-License-Identifier: Apache-2.0
// A provider protocol as data: where typed blocks sit, how they carry bytes, how to answer.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <attache/input_kind.hpp>

namespace attache::conformance {

/// How one kind of input stands in the protocol.
struct BlockRule {
  input::Kind kind{};
  input::Mode mode{};
  std::string name;                      ///< what a report calls it, e.g. "image/base64"
  std::string match_json;                ///< a block matches when it contains every member of this object (recursively)
  std::string data;                      ///< JSON pointer in the block to the value that carries the input
  std::string encoding;                  ///< "base64", "text", "data_url", "path" or "reference"
  std::string media_type;                ///< JSON pointer to the media type, or empty when `encoding` says it
  std::string label;                     ///< JSON pointer to the display name, or empty: the protocol has none
  std::vector<std::string> media_types;  ///< what the provider documents for this block
  std::string source;                    ///< where that is documented, with its date
};

/// Where the provider documents that inputs stand, relative to the text of the turn.
enum class BlockOrder { after_text, before_text, any };

/// What a truthful driver makes of a scripted answer. Empty members: the script does not settle it.
struct Expectation {
  std::string run;                    ///< "ok", "fails" or "hangs" (ends only by cancel or deadline)
  std::string text;                   ///< the final text, when run is "ok"
  std::string receipt;                ///< of each input the edit touched: "exact", "altered", "dropped", "unknown"
  std::vector<std::string> statuses;  ///< SPI status words a failing driver may report
  std::vector<std::string> delivery;  ///< delivery states it may report: "not_delivered", "indeterminate", "delivered"
};

/// One of a dialect's "answers".
struct Scenario {
  std::string name;
  std::string about;
  Expectation expect;
};

/// How a driver of this protocol is led to a real provider whose requests go to a recorder. In every text of
/// `config_json` and `files`: ${base_url} of the recorder, ${key}, ${home} (private HOME), ${state} (a private folder,
/// with `files`).
struct RealProvider {
  std::string recorder;              ///< id of the HTTP dialect in which the provider's requests are read
  std::string key;                   ///< the fake credential; ${token} is fresh in each run
  std::vector<std::string> version;  ///< arguments with which the executable prints its version
  std::string config_json;           ///< object: options of the driver; those its schema lacks are left out
  std::vector<std::pair<std::string, std::string>> files;  ///< name and JSON document, written to ${state}
};

/// A dialect file, read and checked. docs/conformance/dialects.md has the format. Immutable; cheap to copy.
class Dialect {
 public:
  /// Throws std::runtime_error with every fault, by JSON pointer.
  static Dialect load(const std::filesystem::path& file);
  /// Looks for `<id>.json` in `beside` (the plugin's folder, may be empty), then in the kit's own dialects. Throws
  /// likewise, also when there is none.
  static Dialect find(std::string_view id, const std::filesystem::path& beside);

  const std::string& id() const noexcept;
  const std::string& version() const noexcept;           ///< of the dialect file, for reports
  const std::string& provider_version() const noexcept;  ///< of the provider its facts were measured on; may be empty
  const std::string& transport() const noexcept;         ///< "process" or "http"
  const std::string& command() const noexcept;           ///< usual name of the executable; empty for http
  const std::vector<BlockRule>& blocks() const noexcept;
  /// It answers more than turns: a driver shakes hands and may inspect its provider.
  bool has_replies() const noexcept;
  BlockOrder order() const noexcept;
  const std::vector<Scenario>& scenarios() const noexcept;
  /// nullptr: the dialect has no such answer.
  const Scenario* scenario(std::string_view name) const noexcept;
  const std::filesystem::path& file() const noexcept;
  /// nullptr: the dialect says nothing of a real provider.
  const RealProvider* real() const noexcept;

  struct Impl;
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace attache::conformance
