// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <attache/sdk/base64.hpp>
#include <attache/sdk/sha256.hpp>

#include "history/rules.hpp"
#include "history/words.hpp"

namespace attache {
namespace {

constexpr std::size_t kStep = std::size_t{48} * 1024;  // a multiple of 3

template <class Value, std::size_t N>
std::string_view word(const std::pair<Value, std::string_view> (&words)[N], Value value) {
  return std::find_if(std::begin(words), std::end(words), [&](const auto& one) { return one.first == value; })->second;
}

void append_base64(std::string& out, std::span<const std::byte> bytes) {
  const std::size_t before = out.size();
  out.resize(before + sdk::base64_length(bytes.size()));
  sdk::base64_encode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, out.data() + before);
}

/// Writes the bytes of references into the JSON.
class Inliner {
 public:
  explicit Inliner(const PartResolver& resolver) : resolver_(resolver), buffer_(std::make_unique<std::byte[]>(kStep)) {}

  void append(std::string& out, const Part& part, const std::string& place) {
    const ContentReference& wanted = *part.reference;
    sdk::Sha256 hash;
    std::uint64_t size = 0;
    const auto reader = open(part, place);
    for (;;) {
      const std::size_t count = fill(*reader, part, place);
      size += count;
      if (size > wanted.size) break;
      const std::span<const std::byte> bytes(buffer_.get(), count);
      hash.update({reinterpret_cast<const std::uint8_t*>(bytes.data()), count});
      append_base64(out, bytes);
      if (count < kStep) break;
    }
    if (size == wanted.size && hash.finish() == wanted.sha256) return;
    fail(errc::input_digest_mismatch, "digest_mismatch", "the reference resolves to other bytes", part, place);
  }

 private:
  [[noreturn]] static void fail(errc code, const char* reason, const char* sentence, const Part& part,
                                const std::string& place) {
    InputErrorFields fields;
    fields.kind = part.kind;
    fields.media_type = history::media_type_of(part);
    throw InputError(code, reason, place + sentence, std::move(fields));
  }

  [[noreturn]] static void fail_to_resolve(const Part& part, const std::string& place) {
    fail(errc::input_materialization_failed, "reference_unresolved", "the bytes of the reference are not to be had",
         part, place);
  }

  // What a resolver or reader throws is the host's own text; it is not repeated.
  std::unique_ptr<input::Reader> open(const Part& part, const std::string& place) const {
    std::unique_ptr<input::Reader> reader;
    try {
      if (resolver_) reader = resolver_(*part.reference, {});
    } catch (...) {
      fail_to_resolve(part, place);
    }
    if (!reader) fail_to_resolve(part, place);
    return reader;
  }

  /// Less than a whole step only at the end.
  std::size_t fill(input::Reader& reader, const Part& part, const std::string& place) {
    std::size_t count = 0;
    while (count < kStep) {
      const std::span<std::byte> room(buffer_.get() + count, kStep - count);
      std::size_t got = 0;
      try {
        got = reader.read(room);
      } catch (...) {
        fail_to_resolve(part, place);
      }
      if (got > room.size()) fail_to_resolve(part, place);
      if (got == 0) break;
      count += got;
    }
    return count;
  }

  const PartResolver& resolver_;
  std::unique_ptr<std::byte[]> buffer_;
};

/// Everything in it is UTF-8.
std::string quote(std::string_view text) {
  return nlohmann::json(text).dump();
}

void append_part(std::string& out, const Part& part, Inliner* inliner, const std::string& place) {
  out += R"({"kind":")";
  out += word(history::kKinds, part.kind);
  out += '"';
  if (part.url) out += R"(,"url":)" + quote(*part.url);
  const bool inlined = part.reference && inliner != nullptr;
  if (part.data || inlined) {
    out += R"(,"data":")";
    if (inlined) {
      inliner->append(out, part, place);
    } else {
      append_base64(out, *part.data);
    }
    out += '"';
  }
  const std::string media_type = history::media_type_of(part);
  if (!media_type.empty()) out += R"(,"mediaType":)" + quote(media_type);
  if (part.reference && !inlined) {
    out += fmt::format(R"(,"sha256":"{}","size":{})", sdk::to_hex(part.reference->sha256), part.reference->size);
  }
  out += '}';
}

std::string encode(const std::vector<Message>& messages, Inliner* inliner) {
  for (std::size_t i = 0; i < messages.size(); ++i) history::check(messages[i], i + 1);
  std::string out = "[";
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    if (i != 0) out += ',';
    out += fmt::format(R"({{"role":"{}","content":{})", word(history::kRoles, message.role), quote(message.text));
    for (std::size_t j = 0; j < message.parts.size(); ++j) {
      out += j == 0 ? R"(,"parts":[)" : ",";
      append_part(out, message.parts[j], inliner, history::place_of(i + 1, j + 1));
    }
    if (!message.parts.empty()) out += ']';
    out += '}';
  }
  return out += ']';
}

}  // namespace

std::string to_json(const std::vector<Message>& messages) {
  return encode(messages, nullptr);
}

std::string to_json(const std::vector<Message>& messages, const PartResolver& inline_resolver) {
  Inliner inliner(inline_resolver);
  return encode(messages, &inliner);
}

}  // namespace attache
