// SPDX-License-Identifier: Apache-2.0
// A JSON line whose large values are streamed from files while it is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <attache/sdk/child_process.hpp>
#include <attache/sdk/file_identity.hpp>
#include <attache/sdk/sha256.hpp>

namespace attache::sdk {

/// A file of a frame was not what the request said. `reason`: open_failed, read_failed, size_changed,
/// digest_changed, file_changed, not_utf8. The text names no path.
/// \since 0.1
class FrameError : public std::runtime_error {
 public:
  FrameError(std::string reason, std::size_t slot);
  const std::string& reason() const noexcept { return reason_; }
  std::size_t slot() const noexcept { return slot_; }

 private:
  std::string reason_;
  std::size_t slot_;
};

/// How a file becomes the inside of a JSON string.
/// \since 0.1
enum class Encoding {
  base64,  ///< strict base64
  text,    ///< the file's UTF-8, with the escapes JSON needs
};

/// One value of a frame that comes from a file.
/// \since 0.1
struct FrameSlot {
  std::string path;
  Encoding encoding = Encoding::base64;
  std::uint64_t size = 0;  ///< expected bytes of the file
  Digest sha256{};         ///< expected; checked while streaming, before the last byte of the slot is handed out
  /// Stands in the string in front of the file, such as "data:image/png;base64,". Nothing that JSON has to escape.
  /// \since 0.2
  std::string before = {};
  /// When the file still has it, its bytes are those of `sha256` and are not hashed again; then it must have it at the
  /// end too (`file_changed`). \since 0.2
  std::optional<FileIdentity> identity = {};
};

/// Builds a frame: serialize a small JSON document in which every large value is the string slot(i), then give
/// the text here. Never holds a value in memory.
///
///   JsonFrame frame;
///   auto image = frame.add({path, Encoding::base64, size, sha256});
///   nlohmann::ordered_json doc{{"type","user"},{"data", image}};
///   frame.set_document(doc.dump());
///   process.send(frame.source());
/// \since 0.1
class JsonFrame {
 public:
  JsonFrame();
  JsonFrame(JsonFrame&&) noexcept;
  JsonFrame& operator=(JsonFrame&&) noexcept;
  ~JsonFrame();

  /// The marker to put into the document where the slot's value goes: unguessable, different in each frame. Throws
  /// std::invalid_argument when `before` would have to be escaped.
  std::string add(FrameSlot slot);
  /// Takes the serialized document. Throws std::invalid_argument unless each marker stands in it exactly once,
  /// as a whole JSON string.
  void set_document(std::string document);
  /// Bytes of the whole line with its line end. Opens nothing for base64 slots; reads text slots once.
  /// Throws FrameError.
  std::uint64_t encoded_size() const;
  /// The line, with a line end. May be called once for each writing. The source throws FrameError.
  std::unique_ptr<ByteSource> source() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace attache::sdk
