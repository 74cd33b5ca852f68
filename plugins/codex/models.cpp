// SPDX-License-Identifier: Apache-2.0
#include "models.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace attache::codex {

std::string read_models(const Json& page, std::vector<Model>& into) {
  const Json& data = member(page, "data");
  if (!data.is_array()) return {};
  for (const Json& one : data) {
    Model model;
    model.id = text(one, "model");
    if (model.id.empty()) model.id = text(one, "id");
    model.is_default = flag(one, "isDefault");
    const Json& modalities = member(one, "inputModalities");
    // A CLI that leaves the list out means text and images, by its schema's default.
    model.text = model.image = !modalities.is_array();
    if (modalities.is_array()) {
      for (const Json& modality : modalities) {
        model.text = model.text || modality == "text";
        model.image = model.image || modality == "image";
        model.audio = model.audio || modality == "audio";
      }
    }
    into.push_back(std::move(model));
  }
  return text(page, "nextCursor");
}

const Model* find(const std::vector<Model>& models, const std::string& name) {
  const auto found = std::find_if(models.begin(), models.end(),
                                  [&](const Model& one) { return name.empty() ? one.is_default : one.id == name; });
  return found == models.end() ? nullptr : &*found;
}

}  // namespace attache::codex
