// SPDX-License-Identifier: Apache-2.0
#include "inputs/materialize.hpp"

#include <algorithm>
#include <limits>
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

  /// Reads on to the end, or one byte past `limit` or the budget.
  void run(std::uint64_t limit, CopyBudget& budget, std::span<std::byte> buffer) {
    const std::stop_token stop = subject_->stop.get_token();
    for (std::uint64_t left = limit; size_ <= limit; left = limit - size_) {
      check_stop(stop);
      const std::uint64_t room = std::min<std::uint64_t>(buffer.size(), left == no_limit ? left : left + 1);
      CopyBudget::Grant grant = budget.take(room, stop);
      cut_ = grant.bytes() == 0;
      if (cut_) return;
      const std::span<const std::byte> piece = next(buffer.first(static_cast<std::size_t>(grant.bytes())));
      grant.keep(piece.size());
      if (piece.empty()) return;
      take(piece);
    }
    cut_ = true;
  }

  std::uint64_t size() const noexcept { return size_; }
  /// A limit ended it.
  bool cut() const noexcept { return cut_; }
  const TextMeasure* text() const noexcept { return measured_ ? &text_ : nullptr; }
  input::Digest digest() { return hash_.finish(); }

 private:
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  /// What the peek read comes first.
  std::span<const std::byte> next(std::span<std::byte> buffer) {
    std::vector<std::byte>& prefix = subject_->prefix;
    if (peeked_ < prefix.size()) {
      const auto piece = std::span(prefix).subspan(peeked_).first(std::min(prefix.size() - peeked_, buffer.size()));
      peeked_ += piece.size();
      return piece;
    }
    std::vector<std::byte>().swap(prefix);
    return buffer.first(subject_->source->read(buffer));
  }

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
  std::size_t peeked_ = 0;
  bool measured_, cut_ = false;
};

/// Closes the source also when the copying ends early.
class Closing {
 public:
  explicit Closing(Subject& subject) noexcept : subject_(&subject) {}
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  ~Closing() { subject_->source.reset(); }

 private:
  Subject* subject_;
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

void copy(Subject& subject, RunFile& file, const Terms& terms, CopyBudget& budget, std::span<std::byte> buffer,
          Copy& result, Findings& findings) {
  Pass pass(subject, file);
  pass.run(copy_limit(subject, terms), budget, buffer);
  const std::optional<std::uint64_t> promised = subject.source->size();
  const bool unchanged = subject.source->unchanged() && pass.size() == promised.value_or(pass.size());
  subject.source.reset();
  subject.size = pass.size();
  if (pass.cut()) return judge_cut(subject, terms, findings);
  if (!unchanged) {
    findings.add(
        subject,
        {errc::input_materialization_failed, "source_changed", "it changed while it was read", std::nullopt, {}});
    return;
  }
  result.sha256 = pass.digest();
  judge_expectations(subject, result.sha256, findings);
  if (findings.about(subject.index)) return;
  judge_content(subject, file, pass.text(), findings);
  if (findings.about(subject.index)) return;
  check_limits(subject, terms, true, findings);
  result.identity = file.close();
}

}  // namespace

std::optional<Copy> materialize(Subject& subject, RunDirectory& directory, const Terms& terms, CopyBudget& budget,
                                std::span<std::byte> buffer, Findings& findings) {
  const Closing closing(subject);
  try {
    const std::string name =
        fmt::format("input-{}-{}{}", subject.index + 1, random_digits(), extension_of(subject.media_type));
    RunDirectory& place = subject.placement != nullptr ? *subject.placement : directory;
    Copy result;
    result.path = place.path() + "/" + name;
    copy(subject, *place.create(name), terms, budget, buffer, result, findings);
    if (findings.all().empty()) return result;
  } catch (const FaultError& error) {
    // A source of the host fails because it was told to stop.
    check_stop(subject.stop.get_token());
    findings.add(subject, error.fault());
  }
  return std::nullopt;
}

}  // namespace attache::inputs
