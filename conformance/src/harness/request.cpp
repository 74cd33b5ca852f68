// SPDX-License-Identifier: Apache-2.0
#include "harness/request.hpp"

#include <algorithm>

namespace attache::conformance {
namespace {

attache_span span(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace

const std::string& RequestBuilder::keep(std::string text) {
  texts_.push_back(std::make_unique<std::string>(std::move(text)));
  return *texts_.back();
}

attache_input& RequestBuilder::add(const Canary& canary, std::uint32_t mode) {
  inputs_.push_back(std::make_unique<attache_input>());
  attache_input& input = *inputs_.back();
  input.struct_size = sizeof(input);
  input.index = static_cast<std::uint32_t>(inputs_.size() - 1);
  input.id = span(keep("input-" + std::to_string(inputs_.size())));
  input.kind = static_cast<std::uint32_t>(canary.kind);
  input.mode = mode;
  input.name = span(keep(canary.name));
  input.media_type = span(keep(canary.media_type));
  input.local_path = span(keep(canary.path.string()));
  input.size = canary.size;
  std::copy(canary.sha256.begin(), canary.sha256.end(), input.sha256);
  return input;
}

void RequestBuilder::rename(attache_input& input, std::string name) {
  input.name = span(keep(std::move(name)));
}
void RequestBuilder::retype(attache_input& input, std::string media_type) {
  input.media_type = span(keep(std::move(media_type)));
}

const attache_request& RequestBuilder::get() {
  pointers_.clear();
  for (const auto& input : inputs_) pointers_.push_back(input.get());
  request_.struct_size = sizeof(request_);
  request_.prompt = span(prompt_);
  request_.inputs = pointers_.data();
  request_.input_count = pointers_.size();
  return request_;
}

}  // namespace attache::conformance
