// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <attache/api.hpp>

namespace attache::input {

/// What an input is. Values are those of the SPI.
/// \since 0.1
enum class Kind { image = 1, file = 2, audio = 3, video = 4 };

/// How an input is delivered. Values are those of the SPI.
/// \since 0.1
enum class Mode {
  native = 1,               ///< a typed block of the provider's protocol that keeps the modality
  workspace_reference = 2,  ///< a file the provider can open, named in a text block of its own
  provider_url = 3,         ///< a URL the provider fetches
};

/// Whether a run goes on when the provider may change the bytes.
/// \since 0.1
enum class Fidelity {
  any,    ///< an altered input is a notice and a receipt
  exact,  ///< beyond the driver's `exact` bounds the run is refused; an altered receipt fails it
};

/// The words used in descriptors, reports and on the command line: "image", "workspace_reference", …
/// \since 0.1
ATTACHE_API std::string_view to_string(Kind kind) noexcept;
ATTACHE_API std::string_view to_string(Mode mode) noexcept;
ATTACHE_API std::optional<Kind> kind_from_string(std::string_view word) noexcept;
ATTACHE_API std::optional<Mode> mode_from_string(std::string_view word) noexcept;

}  // namespace attache::input
