// SPDX-License-Identifier: Apache-2.0
#include "run/request.hpp"

#include <cstring>

#include "inputs/run_directory.hpp"
#include "spi/read_struct.hpp"

namespace attache::run {

Request::Request(const RequestContent& content) {
  add_inputs(*content.inputs);
  request_.struct_size = sizeof request_;
  request_.prompt = spi::span_of(*content.prompt);
  request_.workspace = spi::span_of(*content.workspace);
  if (content.history != nullptr) {
    add_parts(*content.history_parts);
    add_history(*content.history);
  }
  if (content.output_schema != nullptr) {
    request_.output_schema = spi::span_of(*content.output_schema);
  }
  request_.idle_ms = static_cast<std::uint64_t>(content.idle.count());
  request_.forbid_retention = content.forbid_retention ? 1 : 0;
}

void Request::add_inputs(const inputs::RunInputs& inputs) {
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
    input.url = spi::span_of(inputs.url(i));
    input.size = resolved[i].size;
    std::memcpy(input.sha256, resolved[i].sha256.data(), sizeof input.sha256);
    if (const inputs::FileIdentity* const identity = inputs.identity(i)) {
      input.file_device = identity->device;
      input.file_inode = identity->inode;
      input.file_changed_ns = identity->changed_ns;
    }
    input_pointers_.push_back(&input);
  }
  request_.inputs = input_pointers_.data();
  request_.input_count = input_pointers_.size();
}

void Request::add_parts(const inputs::RunInputs& parts) {
  const std::vector<ResolvedInput>& resolved = parts.resolved();
  parts_.reserve(resolved.size());
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    attache_part& part = parts_.emplace_back();
    part.struct_size = sizeof part;
    part.kind = static_cast<std::uint32_t>(resolved[i].kind);
    part.name = spi::span_of(resolved[i].name);
    part.media_type = spi::span_of(resolved[i].media_type);
    part.local_path = spi::span_of(parts.local_path(i));
    part.url = spi::span_of(parts.url(i));
    part.size = resolved[i].size;
    std::memcpy(part.sha256, resolved[i].sha256.data(), sizeof part.sha256);
    part_pointers_.push_back(&part);
  }
}

void Request::add_history(const std::vector<Message>& messages) {
  messages_.reserve(messages.size());
  std::size_t first = 0;
  for (const Message& given : messages) {
    attache_message& message = messages_.emplace_back();
    message.struct_size = sizeof message;
    message.role = static_cast<std::uint32_t>(given.role);
    message.text = spi::span_of(given.text);
    message.parts = given.parts.empty() ? nullptr : part_pointers_.data() + first;
    message.part_count = given.parts.size();
    first += given.parts.size();
    message_pointers_.push_back(&message);
  }
  request_.history = message_pointers_.data();
  request_.history_count = message_pointers_.size();
}

void Request::set_deadline(std::chrono::milliseconds left) noexcept {
  request_.deadline_ms = static_cast<std::uint64_t>(left.count());
}

void Request::set_thread(const std::string& id, const std::string& checkpoint, bool fork) noexcept {
  request_.thread = spi::span_of(id);
  request_.checkpoint = spi::span_of(checkpoint);
  request_.fork = fork ? 1 : 0;
}

}  // namespace attache::run
