// SPDX-License-Identifier: Apache-2.0
#include "inputs/materialize.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <attache/sdk/sha256.hpp>

#include "inputs/media_type.hpp"
#include "inputs/run_sweep.hpp"
#include "inputs/utf8.hpp"

namespace attache::inputs {
namespace {

bool is_sent_as_text(const Subject& subject) noexcept {
  return subject.mode->mode == input::Mode::native && subject.mode->encoding == "text";
}

/// The copying itself: source → digest, measure, file.
class Pass {
 public:
  Pass(Subject& subject, RunFile& file) : subject_(&subject), file_(&file), measured_(is_sent_as_text(subject)) {}

  /// Reads on to the end, or one byte past `limit`.
  void run(std::uint64_t limit, std::span<std::byte> buffer, const std::stop_token& stop) {
    const std::uint64_t last = limit + 1;
    take(std::span(subject_->prefix).first(std::min<std::uint64_t>(subject_->prefix.size(), last)));
    subject_->prefix = {};
    while (size_ < last) {
      check_stop(stop);
      const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), last - size_));
      const std::size_t count = subject_->source->read(buffer.first(room));
      if (count == 0) return;
      take(buffer.first(count));
    }
  }

  std::uint64_t size() const noexcept { return size_; }
  const TextMeasure* text() const noexcept { return measured_ ? &text_ : nullptr; }
  input::Digest digest() { return hash_.finish(); }

 private:
  void take(std::span<const std::byte> piece) {
    hash_.update({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()});
    if (measured_) text_.update(piece);
    file_->write(piece);
    size_ += piece.size();
  }

  Subject* subject_;
  RunFile* file_;
  sdk::Sha256 hash_;
  TextMeasure text_;
  std::uint64_t size_ = 0;
  bool measured_;
};

void judge_expectations(const Subject& subject, const input::Digest& digest, Findings& findings) {
  const input::InputAccess::State& spec = *subject.spec;
  if (spec.sha256 && *spec.sha256 != digest) {
    findings.add(
        subject,
        {errc::input_digest_mismatch, "digest_mismatch", "its SHA-256 is not the expected one", std::nullopt, {}});
  } else if (spec.size && *spec.size != *subject.size) {
    findings.add(subject, {errc::input_invalid, "size_mismatch", "its size is not the expected one", std::nullopt, {}});
  }
}

void judge_content(Subject& subject, const RunFile& file, const TextMeasure* text, Findings& findings) {
  if (stands_for(subject.media_type, subject.format)) {
    if (const auto fault = check_content(subject.format, file)) {
      findings.add(subject,
                   {errc::input_invalid, std::string(fault->reason), std::string(fault->sentence), std::nullopt, {}});
      return;
    }
    subject.pixels = pixel_size(subject.format, file);
  }
  if (text == nullptr) return;
  subject.text_length = text->json_length();
  if (!text->valid()) {
    findings.add(
        subject,
        {errc::input_invalid, "text_not_utf8", "it is sent as text, and it is not valid UTF-8", std::nullopt, {}});
  }
}

void judge_cut(Subject& subject, const Terms& terms, Findings& findings) {
  check_limits(subject, terms, true, findings);
  if (!findings.about(subject.index)) add_total_limit(terms, findings);
}

void copy(Subject& subject, RunFile& file, const Terms& terms, std::uint64_t before, std::span<std::byte> buffer,
          const std::stop_token& stop, input::Digest& digest, Findings& findings) {
  Pass pass(subject, file);
  const std::uint64_t limit = std::min(copy_limit(subject, terms), total_limit(terms) - before);
  pass.run(limit, buffer, stop);
  const std::optional<std::uint64_t> promised = subject.source->size();
  const bool unchanged = subject.source->unchanged() && pass.size() == promised.value_or(pass.size());
  subject.source.reset();
  subject.size = pass.size();
  if (pass.size() > limit) return judge_cut(subject, terms, findings);
  if (!unchanged) {
    findings.add(
        subject,
        {errc::input_materialization_failed, "source_changed", "it changed while it was read", std::nullopt, {}});
    return;
  }
  digest = pass.digest();
  judge_expectations(subject, digest, findings);
  if (findings.about(subject.index)) return;
  judge_content(subject, file, pass.text(), findings);
  if (findings.about(subject.index)) return;
  check_limits(subject, terms, true, findings);
  file.close();
}

}  // namespace

std::optional<Copy> materialize(Subject& subject, RunDirectory& directory, const Terms& terms, std::uint64_t before,
                                std::span<std::byte> buffer, const std::stop_token& stop, Findings& findings) {
  const std::string name =
      fmt::format("input-{}-{}{}", subject.index + 1, random_digits(), extension_of(subject.media_type));
  Copy result{directory.path() + "/" + name, {}};
  try {
    copy(subject, *directory.create(name), terms, before, buffer, stop, result.sha256, findings);
  } catch (const FaultError& error) {
    findings.add(subject, error.fault());
  }
  if (!findings.all().empty()) return std::nullopt;
  return result;
}

}  // namespace attache::inputs
