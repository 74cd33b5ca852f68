// SPDX-License-Identifier: Apache-2.0
// Conversations a host keeps itself, for providers that keep no session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <attache/api.hpp>
#include <attache/input.hpp>

namespace attache {

/// \since 0.2
enum class Role { user = 1, assistant = 2, system = 3, tool = 4 };

/// Names the bytes of a part without holding them.
/// \since 0.2
struct ContentReference {
  input::Digest sha256{};
  std::uint64_t size = 0;
};

/// One non-text part of a message: a kind and exactly one of URL, inline data and reference.
/// \since 0.2
struct ATTACHE_API Part {
  input::Kind kind{};
  std::string media_type;  ///< required with data and reference
  std::optional<std::string> url;
  std::optional<std::vector<std::byte>> data;  ///< the part's own copy
  std::optional<ContentReference> reference;
  /// Throws InputError (input_invalid): kind unknown (kind_invalid), none or several of url, data and reference
  /// (part_content_missing, part_content_ambiguous), no media type with data or reference (media_type_missing),
  /// malformed media type (media_type_malformed), empty data or reference (empty), malformed URL or user info in it
  /// (url_malformed, url_user_info).
  void validate() const;
};

/// One message. Parts only on user messages; on the wire they follow the text.
/// \since 0.2
struct ATTACHE_API Message {
  Role role = Role::user;
  std::string text;
  std::vector<Part> parts;
  /// Throws InputError (input_invalid): what Part::validate() throws, parts_not_on_user, text_not_utf8,
  /// role_invalid.
  void validate() const;
};

/// Gives the bytes of a reference again. Throws or returns nullptr when it has them no more.
/// \since 0.2
using PartResolver = std::function<std::unique_ptr<input::Reader>(const ContentReference&, std::stop_token)>;

/// The durable JSON form: an array of {"role","content","parts"}; a part is {"kind","url","data","mediaType"} with
/// padded base64 and the kinds image, document, audio, video. References are written as "sha256" (hex) and "size";
/// inline data as it is. Messages without parts have no "parts" key. Keys in this order; additive only. Validates
/// every message first.
/// \since 0.2
ATTACHE_API std::string to_json(const std::vector<Message>& messages);
/// The same with every reference replaced by its bytes: the one call that writes bytes it was not given inline.
/// Throws InputError when a reference cannot be resolved (input_materialization_failed, reference_unresolved), or
/// resolves to other bytes (input_digest_mismatch, digest_mismatch).
ATTACHE_API std::string to_json(const std::vector<Message>& messages, const PartResolver& inline_resolver);
/// Reads the JSON form; unknown keys are ignored, media types normalized. Throws InputError (input_invalid):
/// history_malformed, or what Message::validate() throws.
ATTACHE_API std::vector<Message> messages_from_json(std::string_view json);

}  // namespace attache
