// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include <attache/descriptor.hpp>

#include "inputs/content/content.hpp"
#include "inputs/fault.hpp"
#include "inputs/run_inputs.hpp"
#include "inputs/source.hpp"

namespace attache::inputs {

class RunDirectory;

/// Where an input stands against the exact bounds of its mode.
enum class Exactness { not_declared, inside, outside };

/// One input on its way through declare, peek, negotiate and materialize: what is known of it so far.
struct Subject {
  std::size_t index = 0;
  input::Input input;  ///< keeps `spec` alive
  const input::InputAccess::State* spec = nullptr;
  bool served = false;  ///< the kind is one that the driver has modes for
  bool sound = true;    ///< what the host wrote can be opened, or handed on
  std::string name;
  std::string media_type;  ///< normalized; empty: not known yet
  Format format = Format::unknown;
  std::optional<std::uint64_t> size;
  std::optional<std::uint64_t> text_length;  ///< inside a JSON string; only once it was read whole
  std::optional<PixelSize> pixels;
  const ModeCapability* mode = nullptr;
  std::stop_source stop;  ///< for its source and its copy
  std::unique_ptr<Source> source;
  std::vector<std::byte> prefix;      ///< what was read of the source to peek
  RunDirectory* placement = nullptr;  ///< where its copy goes; null: with the others, in the private run directory

  Subject(std::size_t position, const input::Input& given)
      : index(position), input(given), spec(&input::InputAccess::state(input)) {}
  /// Null: its bytes come from a source.
  const std::string* url() const noexcept {
    const auto* found = std::get_if<input::Url>(&spec->source);
    return found != nullptr ? &found->text : nullptr;
  }
};

/// A fault and the input it is about.
struct Finding {
  InputErrorFields fields;
  Fault fault;
  std::string text;
};

/// Collects what is wrong, in the order it was found, and hands the details to the diagnostic hook.
class Findings {
 public:
  explicit Findings(const Terms& terms) : terms_(&terms) {}
  void add(const Subject& subject, Fault fault);
  /// About the inputs together, or all of one kind.
  void add_set(Fault fault, std::optional<input::Kind> kind = std::nullopt);
  const std::vector<Finding>& all() const noexcept { return all_; }
  bool about(std::size_t index) const noexcept;
  /// The first one is about one input.
  bool about_one() const noexcept { return !all_.empty() && all_.front().fields.index; }
  /// Throws the first one as an InputError, if there is one.
  void raise() const;

 private:
  const Terms* terms_;
  std::vector<Finding> all_;
};

}  // namespace attache::inputs
