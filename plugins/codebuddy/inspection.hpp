// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "limits.hpp"

namespace attache::codebuddy {

/// A model of the CLI's live list. The first one is its default.
struct Model {
  std::string id;
  bool images = true;  ///< a model that the list says nothing of gets them
};

/// Asks the CLI for its version. Throws sdk::Failure: launch_failed, timeout, provider_failed `version_unreadable`.
Version ask_version(const Config& config, const std::stop_token& stop = {});

/// Asks a CLI of its own for its models; delivers nothing. Throws sdk::Failure: launch_failed, timeout, provider_failed
/// `models_unreadable`.
std::vector<Model> ask_models(const Config& config, const std::stop_token& stop = {});

/// The models of a stream of frames that has the answer to `get_available_models`; nothing when it has none.
std::optional<std::vector<Model>> models_of(std::string_view printed);

/// Whether a model of this name (empty: the default) takes images. The CLI removes an image without a sign when not.
bool takes_images(const std::vector<Model>& models, const std::string& wanted);

/// inspect()'s document.
std::string inspection_of(const Version& version, const std::vector<Model>& models, const Config& config);

}  // namespace attache::codebuddy
