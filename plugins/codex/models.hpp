// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "json_access.hpp"

namespace attache::codex {

/// A model of the CLI's live list.
struct Model {
  std::string id;
  bool is_default = false;
  bool text = false, image = false, audio = false;  ///< what it takes
};

/// Reads one page of `model/list`; the cursor of the next one, or empty.
std::string read_models(const Json& page, std::vector<Model>& into);

/// The model of this name, with an empty name the default one; nullptr: the CLI does not know it.
const Model* find(const std::vector<Model>& models, const std::string& name);

}  // namespace attache::codex
