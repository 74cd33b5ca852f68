// SPDX-License-Identifier: Apache-2.0
// A driver's descriptor as data, and the reader that gets it from a file without running any of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <attache/api.hpp>
#include <attache/input_kind.hpp>

namespace attache {

/// Bounds inside which the provider is known to keep the bytes of an input. Unset: not bounded by this.
/// \since 0.1
struct ExactBounds {
  std::optional<std::uint64_t> max_bytes;
  std::optional<std::uint64_t> max_side_px;
  std::optional<std::uint64_t> patch_px;  ///< with max_patches: ceil(w / patch_px) * ceil(h / patch_px)
  std::optional<std::uint64_t> max_patches;
  bool never = false;                    ///< "exact": false in the descriptor: the provider always re-encodes
  std::vector<std::string> media_types;  ///< only of these types; it always re-encodes others. Empty: every type.
                                         ///< \since 0.2
  bool keeps(std::string_view media_type) const noexcept;  ///< \since 0.2
};

/// One way a driver takes inputs of a kind. An unset limit is unknown, not unlimited.
/// \since 0.1
struct ATTACHE_API ModeCapability {
  input::Mode mode = input::Mode::native;
  std::vector<std::string> media_types;  ///< normalized types or "type/*"; empty: no narrower static guarantee
  std::optional<std::uint64_t> max_count;
  std::optional<std::uint64_t> max_bytes;          ///< of the input itself
  std::optional<std::uint64_t> max_encoded_bytes;  ///< of the input as the wire carries it; see `encoding`
  std::optional<std::uint64_t> max_side_px;
  std::string encoding;  ///< "base64", "text" or "none": what the wire makes of the bytes
  std::optional<ExactBounds> exact;
  bool needs_inspection = false;  ///< only what inspect() confirms may be used
  bool takes(std::string_view media_type) const noexcept;
};

/// \since 0.1
struct KindCapability {
  std::vector<ModeCapability> modes;  ///< in the driver's order of preference; empty: unsupported
  std::string alternative;            ///< one sentence that a refusal quotes; may be empty
};

/// Limits over the inputs of one run as a set. An unset limit is unknown.
/// \since 0.1
struct SetLimits {
  std::optional<std::uint64_t> max_count;
  std::optional<std::uint64_t> max_total_bytes;
  std::optional<std::uint64_t> max_total_encoded_bytes;  ///< all inputs as the wire carries them, together
  struct ManyImages {
    std::uint64_t above = 0;  ///< applies when there are more images than this
    std::uint64_t max_side_px = 0;
  };
  std::optional<ManyImages> many_images;
};

/// What a driver takes, kind by kind.
/// \since 0.1
struct ATTACHE_API InputCapabilities {
  KindCapability image, file, audio, video;
  SetLimits limits;
  const KindCapability& of(input::Kind kind) const noexcept;
  KindCapability& of(input::Kind kind) noexcept;
};

/// \since 0.1
struct Features {
  bool resume = false, fork = false, cancel = false, streaming = false, structured_output = false, history = false,
       receipts = false;
  std::vector<std::string> url_schemes;
};

/// A driver's static self-description; `docs/descriptor.md` has the JSON form.
/// \since 0.1
struct Descriptor {
  std::string id, name, version, publisher, license;
  std::uint32_t spi_major = 0, spi_built_minor = 0, spi_min_minor = 0;
  std::string transport;              ///< "process" or "http"
  std::string protocol;               ///< the dialect the driver speaks
  std::string transport_option;       ///< config option that sets the executable or the base URL
  std::string transport_test_config;  ///< JSON object: config under which the driver runs against a stand-in
  InputCapabilities inputs;
  std::string placement;  ///< "granted" or "workspace" when there is a workspace_reference mode
  Features features;
  bool retains_inputs = false;
  std::uint32_t max_parallel_runs = 1;
  std::string config_schema;             ///< JSON Schema, as text
  std::vector<std::string> environment;  ///< names of environment variables the driver may read
  std::string json;                      ///< the document as it was given
};

/// One thing wrong with a descriptor document.
/// \since 0.1
struct DescriptorFault {
  std::string pointer;  ///< JSON pointer to the place; empty: the document itself
  std::string text;
};

/// The outcome of reading a descriptor document: a descriptor, or every fault found.
/// \since 0.1
struct DescriptorParse {
  std::optional<Descriptor> descriptor;
  std::vector<DescriptorFault> faults;
};

/// Reads and checks a descriptor document: at most 64 KiB, strict UTF-8 without a mark, no duplicate keys, no
/// unknown keys, every rule of the schema and the truth rules of the SPI. Any thread; throws only bad_alloc.
/// \since 0.1
ATTACHE_API DescriptorParse parse_descriptor(std::string_view json);

/// What a plugin file says of itself, by reading it only: no code of it runs and it is not mapped.
/// \since 0.1
struct FileReport {
  bool ok = false;
  std::string reason;  ///< when not ok: not_found, not_regular, unreadable, too_small, not_a_library, other_platform,
                       ///< truncated, malformed, no_descriptor, other_spi_major, descriptor_invalid
  std::string text;    ///< one sentence
  std::string hint;    ///< what to do
  std::optional<Descriptor> descriptor;
  std::vector<DescriptorFault> faults;
  std::vector<std::string> exported_symbols;  ///< defined dynamic symbols
  std::vector<std::string> undefined_symbols;
  std::vector<std::string> needed;  ///< names of the libraries it needs
  std::vector<std::string> run_paths;
  bool has_unique_symbols = false;  ///< STB_GNU_UNIQUE among the exported ones
  std::uint64_t size = 0;
  std::string sha256;  ///< hex, of the file
};

/// Reads a plugin file. Never fails for what the file holds: that is in the report. Bounded in memory and time,
/// whatever the file. Any thread.
/// \since 0.1
ATTACHE_API FileReport read_plugin_file(const std::filesystem::path& path);

}  // namespace attache
