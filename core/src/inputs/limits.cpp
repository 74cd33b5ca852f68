// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include <attache/sdk/base64.hpp>

#include "inputs/stages.hpp"

namespace attache::inputs {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

struct Limit {
  std::uint64_t value = 0;
  const char* owner = "host";
};

/// The smaller of the host's limit (zero: its default) and the driver's. Of equal ones the driver's: no setting of the
/// host moves it.
Limit smaller(std::uint64_t host, std::uint64_t host_default, std::optional<std::uint64_t> driver) noexcept {
  const std::uint64_t value = host == 0 ? host_default : host;
  if (driver && *driver <= value) return {*driver, "driver"};
  return {value, "host"};
}

Limit count_limit(const Terms& terms) noexcept {
  return smaller(terms.limits.max_count, InputLimits::default_max_count, terms.capabilities->limits.max_count);
}

Limit input_limit(const Subject& subject, const Terms& terms) noexcept {
  return smaller(terms.limits.max_input_bytes, InputLimits::default_max_input_bytes,
                 subject.mode != nullptr ? subject.mode->max_bytes : std::nullopt);
}

Limit bytes_together(const Terms& terms) noexcept {
  return smaller(terms.limits.max_total_bytes, InputLimits::default_max_total_bytes,
                 terms.capabilities->limits.max_total_bytes);
}

Fault too_large(const char* reason, std::string sentence, Limit limit) {
  return {errc::input_too_large, reason, std::move(sentence), limit.value, limit.owner};
}

/// Bytes of the input as the wire carries them; a reference carries none.
std::uint64_t encoded_size(const Subject& subject) noexcept {
  const std::uint64_t size = subject.size.value_or(0);
  if (subject.mode == nullptr || subject.mode->mode != input::Mode::native) return 0;
  if (subject.mode->encoding == "base64") {
    return size > no_limit / 2 ? no_limit : sdk::base64_length(size);
  }
  return subject.mode->encoding == "text" ? std::max(size, subject.text_length.value_or(0)) : size;
}

std::uint64_t longest_side(const PixelSize& pixels) noexcept {
  return std::max(pixels.width, pixels.height);
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) noexcept {
  return a > no_limit - b ? no_limit : a + b;
}

/// The bound that is passed, or that cannot be shown to be kept; unset: inside of all.
std::optional<std::uint64_t> passed_bound(const ExactBounds& bounds, const Subject& subject) noexcept {
  if (bounds.max_bytes && subject.size.value_or(0) > *bounds.max_bytes) return *bounds.max_bytes;
  if (subject.spec->kind != input::Kind::image) return std::nullopt;
  if (bounds.max_side_px && (!subject.pixels || longest_side(*subject.pixels) > *bounds.max_side_px)) {
    return *bounds.max_side_px;
  }
  if (!bounds.max_patches || bounds.patch_px.value_or(0) == 0) return std::nullopt;
  if (!subject.pixels) return *bounds.max_patches;
  const auto patches = [&](std::uint64_t side) { return (side + *bounds.patch_px - 1) / *bounds.patch_px; };
  const std::uint64_t count = patches(subject.pixels->width) * patches(subject.pixels->height);
  return count > *bounds.max_patches ? bounds.max_patches : std::nullopt;
}

void check_exact(const Subject& subject, Findings& findings) {
  const ExactBounds bounds = subject.mode->exact.value_or(ExactBounds());
  if (subject.url() != nullptr || bounds.never || !bounds.keeps(subject.media_type)) {
    findings.add(subject,
                 {errc::input_mode_unsupported,
                  "never_exact",
                  subject.url() != nullptr ? "it has to arrive exactly, and what a provider fetches is not known"
                                           : "it has to arrive exactly, and the provider always changes such inputs",
                  std::nullopt,
                  {}});
    return;
  }
  findings.add(subject, too_large("exact_bound", "it has to arrive exactly, and the provider changes inputs this large",
                                  {passed_bound(bounds, subject).value_or(0), "driver"}));
}

}  // namespace

void check_limits(const Subject& subject, const Terms& terms, bool whole, Findings& findings) {
  const input::InputAccess::State& spec = *subject.spec;
  // A digest, where one is expected, is judged before the size: only the whole content tells.
  if (!whole && spec.size && !spec.sha256 && subject.size && *subject.size != *spec.size) {
    findings.add(subject, {errc::input_invalid, "size_mismatch", "its size is not the expected one", std::nullopt, {}});
  }
  const Limit bytes = input_limit(subject, terms);
  if (subject.size.value_or(0) > bytes.value) {
    findings.add(subject, too_large("input_bytes_limit", "it has too many bytes", bytes));
  }
  if (subject.mode == nullptr) return;
  const ModeCapability& mode = *subject.mode;
  if (mode.max_encoded_bytes && encoded_size(subject) > *mode.max_encoded_bytes) {
    findings.add(subject, too_large("encoded_bytes_limit", fmt::format("it has too many bytes as {}", mode.encoding),
                                    {*mode.max_encoded_bytes, "driver"}));
  }
  if (mode.max_side_px && subject.pixels && longest_side(*subject.pixels) > *mode.max_side_px) {
    findings.add(subject,
                 too_large("side_limit", "its longest side has too many pixels", {*mode.max_side_px, "driver"}));
  }
  // A header that lies past the peek is judged once the whole content is there.
  const bool pixels_to_come = !whole && !subject.pixels && has_pixel_size(subject.format);
  const bool impossible = subject.url() != nullptr || exactness(subject) == Exactness::outside;
  if (wants_exact(subject, terms) && impossible && !pixels_to_come) {
    check_exact(subject, findings);
  }
}

void check_count(std::size_t count, const Terms& terms, Findings& findings) {
  const Limit limit = count_limit(terms);
  if (count > limit.value) {
    findings.add_set(too_large("count_limit", fmt::format("there are {} inputs", count), limit));
  }
}

namespace {

void check_mode_counts(std::span<const Subject> subjects, const Terms& terms, Findings& findings) {
  for (const input::Kind kind : {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video}) {
    for (const ModeCapability& mode : terms.capabilities->of(kind).modes) {
      if (!mode.max_count) continue;
      const auto count = static_cast<std::uint64_t>(std::count_if(
          subjects.begin(), subjects.end(), [&](const Subject& subject) { return subject.mode == &mode; }));
      if (count <= *mode.max_count) continue;
      findings.add_set(too_large("count_limit",
                                 fmt::format("there are {} {} inputs for the mode {}", count, input::to_string(kind),
                                             input::to_string(mode.mode)),
                                 {*mode.max_count, "driver"}),
                       kind);
    }
  }
}

void check_many_images(std::span<const Subject> subjects, const SetLimits::ManyImages& many, Findings& findings) {
  const auto image = [](const Subject& subject) { return subject.spec->kind == input::Kind::image; };
  const auto count = static_cast<std::uint64_t>(std::count_if(subjects.begin(), subjects.end(), image));
  if (count <= many.above) return;
  for (const Subject& subject : subjects) {
    if (!image(subject) || !subject.pixels || longest_side(*subject.pixels) <= many.max_side_px) continue;
    findings.add(subject, too_large("many_images_side_limit",
                                    fmt::format("its longest side has too many pixels for more than {} images together",
                                                many.above),
                                    {many.max_side_px, "driver"}));
  }
}

}  // namespace

void check_set(std::span<const Subject> subjects, const Terms& terms, Findings& findings) {
  check_mode_counts(subjects, terms, findings);
  std::uint64_t total = 0, encoded = terms.prompt_bytes;
  for (const Subject& subject : subjects) {
    total = saturated_sum(total, subject.size.value_or(0));
    encoded = saturated_sum(encoded, encoded_size(subject));
  }
  if (total > bytes_together(terms).value) add_total_limit(terms, findings);
  const SetLimits& set = terms.capabilities->limits;
  if (set.max_total_encoded_bytes && encoded > *set.max_total_encoded_bytes) {
    findings.add_set(too_large("total_encoded_limit", "with the prompt they have too many bytes as they are sent",
                               {*set.max_total_encoded_bytes, "driver"}));
  }
  if (set.many_images) check_many_images(subjects, *set.many_images, findings);
}

std::uint64_t copy_limit(const Subject& subject, const Terms& terms) noexcept {
  std::uint64_t limit = input_limit(subject, terms).value;
  if (subject.mode != nullptr && subject.mode->mode == input::Mode::native && subject.mode->max_encoded_bytes) {
    const std::uint64_t encoded = *subject.mode->max_encoded_bytes;
    limit = std::min(limit, subject.mode->encoding == "base64" ? encoded / 4 * 3 : encoded);
  }
  return limit;
}

void add_total_limit(const Terms& terms, Findings& findings) {
  findings.add_set(too_large("total_bytes_limit", "they have too many bytes", bytes_together(terms)));
}

std::uint64_t total_limit(const Terms& terms) noexcept {
  return bytes_together(terms).value;
}

Exactness exactness(const Subject& subject) noexcept {
  if (subject.mode == nullptr || !subject.mode->exact) return Exactness::not_declared;
  const ExactBounds& bounds = *subject.mode->exact;
  const bool changed = bounds.never || !bounds.keeps(subject.media_type) || passed_bound(bounds, subject);
  return changed || subject.url() != nullptr ? Exactness::outside : Exactness::inside;
}

bool wants_exact(const Subject& subject, const Terms& terms) noexcept {
  return terms.fidelity == input::Fidelity::exact || subject.spec->fidelity == input::Fidelity::exact;
}

}  // namespace attache::inputs
