// SPDX-License-Identifier: Apache-2.0
// A provider protocol as data: where typed blocks sit, how they carry bytes, how to answer.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <attache/input_kind.hpp>

#include <nlohmann/json_fwd.hpp>

namespace attache::conformance {

/// How one kind of input stands in the protocol.
struct BlockRule {
  input::Kind kind{};
  input::Mode mode{};
  std::string name;        ///< what a report calls it, e.g. "image/base64"
  std::string match_json;  ///< a block matches when it contains every member of this object (recursively)
  std::string data;        ///< JSON pointer in the block to the value that carries the input
  std::string encoding;    ///< "base64", "text", "data_url" or "path"
  std::string media_type;  ///< JSON pointer to the media type, or empty when `encoding` says it
  std::vector<std::string> media_types;  ///< what the provider documents for this block
  std::string source;      ///< where that is documented, with its date
};

/// A dialect file, read and checked. docs/conformance/dialects.md has the format. Immutable.
class Dialect {
 public:
  /// Throws std::runtime_error with every fault, by JSON pointer.
  static Dialect load(const std::filesystem::path& file);
  /// Looks in `beside` (the plugin's folder, may be empty), then in the kit's own dialects. Throws likewise.
  static Dialect find(std::string_view id, const std::filesystem::path& beside);

  const std::string& id() const noexcept;
  const std::string& version() const noexcept;  ///< of the dialect file, for reports
  const std::string& transport() const noexcept;  ///< "process" or "http"
  const std::vector<BlockRule>& blocks() const noexcept;
  const std::filesystem::path& file() const noexcept;

  struct Impl;
  const Impl& impl() const noexcept { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace attache::conformance
