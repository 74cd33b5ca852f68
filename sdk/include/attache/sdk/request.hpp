// SPDX-License-Identifier: Apache-2.0
// What a driver is asked to do, as views over the SPI's structs.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include <attache/sdk/failure.hpp>
#include <attache/sdk/file_identity.hpp>
#include <attache/sdk/spi.h>

namespace attache::sdk {

/// An unknown value is a kind, mode or role of a later SPI: refuse it as spi.h says.
/// \since 0.1
enum class Kind : std::uint32_t {
  image = ATTACHE_KIND_IMAGE,
  file = ATTACHE_KIND_FILE,
  audio = ATTACHE_KIND_AUDIO,
  video = ATTACHE_KIND_VIDEO,
};
/// \since 0.1
enum class Mode : std::uint32_t {
  native = ATTACHE_MODE_NATIVE,
  workspace_reference = ATTACHE_MODE_WORKSPACE_REFERENCE,
  provider_url = ATTACHE_MODE_PROVIDER_URL,
};
/// \since 0.1
enum class Role : std::uint32_t {
  user = ATTACHE_ROLE_USER,
  assistant = ATTACHE_ROLE_ASSISTANT,
  system = ATTACHE_ROLE_SYSTEM,
  tool = ATTACHE_ROLE_TOOL,
};

namespace detail {

/// A field, or zero when the struct that was given ends before it.
template <class Struct, class Field>
Field get(const Struct* from, Field Struct::*member) noexcept {
  const auto* const at = reinterpret_cast<const unsigned char*>(&(from->*member));
  const auto offset = static_cast<std::uint64_t>(at - reinterpret_cast<const unsigned char*>(from));
  return offset + sizeof(Field) <= from->struct_size ? from->*member : Field{};
}

template <class Struct>
std::array<std::uint8_t, 32> get(const Struct* from, std::uint8_t (Struct::*member)[32]) noexcept {
  std::array<std::uint8_t, 32> out{};
  const auto* const at = reinterpret_cast<const unsigned char*>(&(from->*member));
  const auto offset = static_cast<std::uint64_t>(at - reinterpret_cast<const unsigned char*>(from));
  for (std::size_t i = 0; offset + out.size() <= from->struct_size && i < out.size(); ++i) out[i] = at[i];
  return out;
}

inline std::string_view view(const attache_span& span) noexcept {
  return {span.data, static_cast<std::size_t>(span.size)};
}

}  // namespace detail

/// A borrowed sequence; \since 0.1
template <class Item, class Raw>
class List {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Item;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Item;
    explicit iterator(const Raw* const* at) noexcept : at_(at) {}
    Item operator*() const noexcept { return Item(*at_); }
    iterator& operator++() noexcept { return ++at_, *this; }
    iterator operator++(int) noexcept { return iterator(at_++); }
    bool operator==(const iterator& other) const noexcept { return at_ == other.at_; }

   private:
    const Raw* const* at_;
  };

  List(const Raw* const* first, std::uint64_t count) noexcept : first_(first), count_(count) {}
  std::size_t size() const noexcept { return static_cast<std::size_t>(count_); }
  bool empty() const noexcept { return count_ == 0; }
  Item operator[](std::size_t i) const noexcept { return Item(first_[i]); }
  iterator begin() const noexcept { return iterator(first_); }
  iterator end() const noexcept { return iterator(count_ == 0 ? first_ : first_ + count_); }

 private:
  const Raw* const* first_;
  std::uint64_t count_;
};

/// One resolved input; a view, cheap to copy, valid as long as the request. spi.h has each field's contract.
/// \since 0.1
class Input {
 public:
  explicit Input(const attache_input* raw) noexcept : raw_(raw) {}
  std::string_view id() const noexcept { return text(&attache_input::id); }
  std::uint32_t index() const noexcept { return detail::get(raw_, &attache_input::index); }
  Kind kind() const noexcept { return static_cast<Kind>(detail::get(raw_, &attache_input::kind)); }
  Mode mode() const noexcept { return static_cast<Mode>(detail::get(raw_, &attache_input::mode)); }
  bool exact() const noexcept { return detail::get(raw_, &attache_input::exact) != 0; }
  std::string_view name() const noexcept { return text(&attache_input::name); }
  std::string_view media_type() const noexcept { return text(&attache_input::media_type); }
  std::string_view local_path() const noexcept { return text(&attache_input::local_path); }
  std::string_view url() const noexcept { return text(&attache_input::url); }
  std::uint64_t size() const noexcept { return detail::get(raw_, &attache_input::size); }
  std::array<std::uint8_t, 32> sha256() const noexcept { return detail::get(raw_, &attache_input::sha256); }
  /// Unset where the host does not tell it: the file has to be hashed then. \since 0.2
  std::optional<FileIdentity> identity() const noexcept {
    const FileIdentity told{detail::get(raw_, &attache_input::file_device),
                            detail::get(raw_, &attache_input::file_inode),
                            detail::get(raw_, &attache_input::file_changed_ns)};
    if (told == FileIdentity{}) return std::nullopt;
    return told;
  }

 private:
  std::string_view text(attache_span attache_input::*member) const noexcept {
    return detail::view(detail::get(raw_, member));
  }
  const attache_input* raw_;
};

/// One non-text part of a history message.
/// \since 0.1
class Part {
 public:
  explicit Part(const attache_part* raw) noexcept : raw_(raw) {}
  Kind kind() const noexcept { return static_cast<Kind>(detail::get(raw_, &attache_part::kind)); }
  std::string_view name() const noexcept { return text(&attache_part::name); }
  std::string_view media_type() const noexcept { return text(&attache_part::media_type); }
  std::string_view local_path() const noexcept { return text(&attache_part::local_path); }
  std::string_view url() const noexcept { return text(&attache_part::url); }
  std::uint64_t size() const noexcept { return detail::get(raw_, &attache_part::size); }
  std::array<std::uint8_t, 32> sha256() const noexcept { return detail::get(raw_, &attache_part::sha256); }

 private:
  std::string_view text(attache_span attache_part::*member) const noexcept {
    return detail::view(detail::get(raw_, member));
  }
  const attache_part* raw_;
};

/// One earlier message.
/// \since 0.1
class Message {
 public:
  explicit Message(const attache_message* raw) noexcept : raw_(raw) {}
  Role role() const noexcept { return static_cast<Role>(detail::get(raw_, &attache_message::role)); }
  std::string_view text() const noexcept { return detail::view(detail::get(raw_, &attache_message::text)); }
  List<Part, attache_part> parts() const noexcept {
    return {detail::get(raw_, &attache_message::parts), detail::get(raw_, &attache_message::part_count)};
  }

 private:
  const attache_message* raw_;
};

/// One turn. Valid, with all it points at, until the run ended.
/// \since 0.1
class Request {
 public:
  /// Reads nothing beyond struct_size. Throws Failure (contract) when the request breaks a rule of spi.h: a struct
  /// without a size, a null where there has to be something, a reserved field that is not zero.
  explicit Request(const attache_request* raw);

  std::string_view prompt() const noexcept { return text(&attache_request::prompt); }
  List<Input, attache_input> inputs() const noexcept {
    return {detail::get(raw_, &attache_request::inputs), detail::get(raw_, &attache_request::input_count)};
  }
  List<Message, attache_message> history() const noexcept {
    return {detail::get(raw_, &attache_request::history), detail::get(raw_, &attache_request::history_count)};
  }
  std::string_view workspace() const noexcept { return text(&attache_request::workspace); }
  std::string_view thread() const noexcept { return text(&attache_request::thread); }
  std::string_view checkpoint() const noexcept { return text(&attache_request::checkpoint); }
  std::string_view output_schema() const noexcept { return text(&attache_request::output_schema); }
  std::string_view options() const noexcept { return text(&attache_request::options); }
  std::optional<std::chrono::milliseconds> deadline() const noexcept { return time(&attache_request::deadline_ms); }
  std::optional<std::chrono::milliseconds> idle() const noexcept { return time(&attache_request::idle_ms); }
  bool fork() const noexcept { return detail::get(raw_, &attache_request::fork) != 0; }
  bool forbid_retention() const noexcept { return detail::get(raw_, &attache_request::forbid_retention) != 0; }

 private:
  std::string_view text(attache_span attache_request::*member) const noexcept {
    return detail::view(detail::get(raw_, member));
  }
  std::optional<std::chrono::milliseconds> time(std::uint64_t attache_request::*member) const noexcept {
    const std::uint64_t ms = detail::get(raw_, member);
    constexpr std::uint64_t longest = 1000ull * 60 * 60 * 24 * 365;  // keeps time_point arithmetic from overflowing
    if (ms == 0) return std::nullopt;
    return std::chrono::milliseconds(ms < longest ? ms : longest);
  }
  const attache_request* raw_;
};

namespace detail {

inline void require(bool good) {
  if (!good) throw Failure(Status::contract, "malformed_request", "the request breaks a rule of the SPI");
}

template <class Struct, class... Spans>
void require_spans(const Struct* from, Spans... members) {
  const auto whole = [&](attache_span span) { return span.data != nullptr || span.size == 0; };
  require((whole(get(from, members)) && ...));
}

template <class Struct>
void require_struct(const Struct* one) {
  require(one != nullptr && one->struct_size >= sizeof one->struct_size);
}

inline void check(const attache_part* part) {
  require_struct(part);
  require(get(part, &attache_part::reserved0) == 0);
  require_spans(part, &attache_part::name, &attache_part::media_type, &attache_part::local_path, &attache_part::url);
}

inline void check(const attache_message* message) {
  require_struct(message);
  require(get(message, &attache_message::reserved0) == 0);
  require_spans(message, &attache_message::text);
  const auto* const parts = get(message, &attache_message::parts);
  const std::uint64_t count = get(message, &attache_message::part_count);
  require(parts != nullptr || count == 0);
  for (std::uint64_t i = 0; i < count; ++i) check(parts[i]);
}

inline void check(const attache_input* input) {
  require_struct(input);
  require_spans(input, &attache_input::id, &attache_input::name, &attache_input::media_type, &attache_input::local_path,
                &attache_input::url);
}

}  // namespace detail

inline Request::Request(const attache_request* raw) : raw_(raw) {
  using R = attache_request;
  detail::require_struct(raw);
  detail::require_spans(raw, &R::prompt, &R::workspace, &R::thread, &R::checkpoint, &R::output_schema, &R::options);
  const auto* const inputs = detail::get(raw, &R::inputs);
  const std::uint64_t input_count = detail::get(raw, &R::input_count);
  detail::require(inputs != nullptr || input_count == 0);
  for (std::uint64_t i = 0; i < input_count; ++i) detail::check(inputs[i]);
  const auto* const history = detail::get(raw, &R::history);
  const std::uint64_t history_count = detail::get(raw, &R::history_count);
  detail::require(history != nullptr || history_count == 0);
  for (std::uint64_t i = 0; i < history_count; ++i) detail::check(history[i]);
}

}  // namespace attache::sdk
