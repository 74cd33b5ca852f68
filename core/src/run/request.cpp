// SPDX-License-Identifier: Apache-2.0
#include "run/request.hpp"

#include <cstring>

#include "spi/read_struct.hpp"

namespace attache::run {

Request::Request(const std::string& prompt, const std::string& workspace, const inputs::RunInputs& inputs,
                 Settings settings) {
  const std::vector<ResolvedInput>& resolved = inputs.resolved();
  inputs_.reserve(resolved.size());
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    attache_input& input = inputs_.emplace_back();
    input.struct_size = sizeof input;
    input.id = spi::span_of(resolved[i].id);
    input.index = static_cast<std::uint32_t>(resolved[i].index);
    input.kind = static_cast<std::uint32_t>(resolved[i].kind);
    input.mode = static_cast<std::uint32_t>(resolved[i].mode);
    input.exact = inputs.wants_exact(i) ? 1 : 0;
    input.name = spi::span_of(resolved[i].name);
    input.media_type = spi::span_of(resolved[i].media_type);
    input.local_path = spi::span_of(inputs.local_path(i));
    input.size = resolved[i].size;
    std::memcpy(input.sha256, resolved[i].sha256.data(), sizeof input.sha256);
    pointers_.push_back(&input);
  }
  request_.struct_size = sizeof request_;
  request_.prompt = spi::span_of(prompt);
  request_.inputs = pointers_.data();
  request_.input_count = pointers_.size();
  request_.workspace = spi::span_of(workspace);
  request_.idle_ms = static_cast<std::uint64_t>(settings.idle.count());
  request_.forbid_retention = settings.forbid_retention ? 1 : 0;
}

void Request::set_deadline(std::chrono::milliseconds left) noexcept {
  request_.deadline_ms = static_cast<std::uint64_t>(left.count());
}

}  // namespace attache::run
