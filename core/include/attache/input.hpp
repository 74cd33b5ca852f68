// SPDX-License-Identifier: Apache-2.0
// Inputs: what a host hands to one run beside the prompt.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <attache/api.hpp>
#include <attache/input_kind.hpp>
#include <attache/source.hpp>

namespace attache::input {

using Digest = std::array<std::uint8_t, 32>;

class InputAccess;

/// One input: a source, a kind, and what the host expects of it. An immutable value: the setters below return
/// a changed copy. Cheap to copy; any thread. Nothing is opened or checked before a run (or a plan) begins; faults are
/// then reported as InputError with this input's index. \since 0.1
class ATTACHE_API Input {
 public:
  Input(const Input&) noexcept;
  Input(Input&&) noexcept;
  Input& operator=(const Input&) noexcept;
  Input& operator=(Input&&) noexcept;
  ~Input();

  /// Display basename: UTF-8, 1 to 255 bytes after sanitizing; never used as a path. Default: the source's.
  [[nodiscard]] Input name(std::string value) const;
  /// Normalized on use (lower case, parameters dropped, aliases folded). Empty and application/octet-stream
  /// count as absent; then the content's signature decides, then the name.
  [[nodiscard]] Input media_type(std::string value) const;
  /// Expected size in bytes: another size is input_invalid (size_mismatch).
  [[nodiscard]] Input size(std::uint64_t bytes) const;
  /// Expected SHA-256: another digest is input_digest_mismatch.
  [[nodiscard]] Input sha256(const Digest& digest) const;
  /// Only this mode will do: input_mode_unsupported when the driver does not offer it. Never a silent fallback.
  [[nodiscard]] Input require(Mode mode) const;
  [[nodiscard]] Input fidelity(Fidelity value) const;
  /// Path sources: take the target of a symbolic link that is the last component. Default: link_refused.
  [[nodiscard]] Input follow_links(bool value = true) const;

 private:
  friend class InputAccess;
  struct State;
  explicit Input(std::shared_ptr<const State> state) noexcept;
  Input with(void (*change)(State&, void*), void* argument) const;
  std::shared_ptr<const State> state_;
};

/// A regular file. Opened once, in the run; its bytes as a path are used as they are. Anything but a regular
/// file is refused without blocking.
/// \since 0.1
ATTACHE_API Input from_path(Kind kind, std::filesystem::path path);

/// Inline data. The span is read when the run begins; the caller keeps it unchanged until then (for stream():
/// until stream() returned).
/// \since 0.1
ATTACHE_API Input from_bytes(Kind kind, std::string media_type, std::span<const std::byte> bytes);

/// A file of a host's own file system. `path` is relative, `/`-separated, without empty, `.` and `..` components;
/// anything else is input_invalid (path_invalid). A null `files` is input_invalid (source_missing). plan() opens the
/// file. \since 0.2
ATTACHE_API Input from_fs(Kind kind, std::shared_ptr<const FileSystem> files, std::string path);

/// Whatever `open` gives; an empty function is input_invalid (source_missing). `name` is the display name unless name()
/// sets another; empty: none is given. plan() does not call `open`: it goes by name and declared type.
/// \since 0.2
ATTACHE_API Input from_opener(Kind kind, std::string name, Opener open);

/// Something the provider fetches; never fetched by us. Mode provider_url: needs a driver that declares it and an
/// agent that allows it. A scheme the driver declares; ASCII, at most 8 KiB, no user info. The media type comes from
/// media_type() or name(), never from the URL; it is needed unless the driver takes the kind without one. size() and
/// sha256() cannot be expected of it: input_invalid (url_expectation), and no fidelity but `any`. In a result its size
/// is 0 and its digest all zeros: not known.
/// \since 0.2
ATTACHE_API Input from_url(Kind kind, std::string url);

}  // namespace attache::input

namespace attache {

/// Limits of the host over the inputs of one run. Zero selects the default below, never "unlimited". The smaller
/// of the host's and the driver's limit wins, and the error says whose it was.
/// \since 0.1
struct InputLimits {
  static constexpr std::uint64_t default_max_count = 20;
  static constexpr std::uint64_t default_max_input_bytes = 32ull << 20;
  static constexpr std::uint64_t default_max_total_bytes = 64ull << 20;
  std::uint64_t max_count = 0;
  std::uint64_t max_input_bytes = 0;
  std::uint64_t max_total_bytes = 0;
};

}  // namespace attache
