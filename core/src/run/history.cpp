// SPDX-License-Identifier: Apache-2.0
#include "run/history.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <attache/sdk/base64.hpp>

#include "history/rules.hpp"

namespace attache::run {
namespace {

/// "message 2, part 1" of the part at this position of all.
std::string place_of(const std::vector<Message>& messages, std::size_t position) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::size_t count = messages[i].parts.size();
    if (position < count) return fmt::format("message {}, part {}", i + 1, position + 1);
    position -= count;
  }
  return "the history";
}

/// A fault of a part was worded as that of an input, and its index is none of the call's arguments.
InputError of_history(const InputError& error, const std::vector<Message>& messages) {
  InputErrorFields fields;
  fields.kind = error.kind();
  fields.media_type = error.media_type();
  fields.driver = error.driver();
  fields.limit = error.limit();
  fields.limit_owner = error.limit_owner();
  fields.alternative = error.alternative();
  const std::string was = error.index() ? fmt::format("input {}", *error.index() + 1) : "the inputs together";
  const std::string is = error.index() ? place_of(messages, *error.index()) : "the parts of the history together";
  std::string text = error.what();
  if (text.starts_with(was)) text.replace(0, was.size(), is);
  return {error.code(), error.reason(), text, std::move(fields)};
}

input::Input input_of(const Part& part, const PartResolver& resolver) {
  if (part.url) {
    return input::from_url(part.kind, *part.url).media_type(part.media_type).require(input::Mode::provider_url);
  }
  if (part.data) {
    return input::from_bytes(part.kind, part.media_type, *part.data).require(input::Mode::native);
  }
  const ContentReference reference = *part.reference;
  const input::Opener open = [resolver, reference](std::stop_token stop) {
    return resolver(reference, std::move(stop));
  };
  return input::from_opener(part.kind, {}, open)
      .media_type(part.media_type)
      .size(reference.size)
      .sha256(reference.sha256)
      .require(input::Mode::native);
}

/// The same content as a reference. What the provider fetches stays a URL.
Part reference_to(const ResolvedInput& resolved, const std::string& url) {
  Part part;
  part.kind = resolved.kind;
  part.media_type = resolved.media_type;
  if (resolved.mode == input::Mode::provider_url) {
    part.url = url;
  } else {
    part.reference = ContentReference{resolved.sha256, resolved.size};
  }
  return part;
}

}  // namespace

void check_history(const std::vector<Message>& messages, bool has_resolver) {
  for (std::size_t i = 0; i < messages.size(); ++i) history::check(messages[i], i + 1);
  for (std::size_t i = 0; i < messages.size() && !has_resolver; ++i) {
    for (std::size_t j = 0; j < messages[i].parts.size(); ++j) {
      const Part& part = messages[i].parts[j];
      if (!part.reference) continue;
      InputErrorFields fields;
      fields.kind = part.kind;
      throw InputError(errc::input_materialization_failed, "reference_unresolved",
                       fmt::format("{}nothing resolves references", history::place_of(i + 1, j + 1)),
                       std::move(fields));
    }
  }
}

std::vector<input::Input> parts_of(const std::vector<Message>& messages, const PartResolver& resolver) {
  std::vector<input::Input> parts;
  for (const Message& message : messages) {
    for (const Part& part : message.parts) parts.push_back(input_of(part, resolver));
  }
  return parts;
}

inputs::RunInputs materialize_history(const std::vector<Message>& messages, const std::vector<input::Input>& parts,
                                      inputs::Terms terms, std::stop_token stop) {
  if (terms.diagnostics) {
    terms.diagnostics = [hook = std::move(terms.diagnostics)](const Diagnostic& told) {
      hook({told.where, std::nullopt, told.text});
    };
  }
  try {
    return inputs::RunInputs::prepare(parts, terms, std::move(stop));
  } catch (const InputError& error) {
    throw of_history(error, messages);
  }
}

std::uint64_t encoded_bytes(const std::vector<Message>& messages, const inputs::RunInputs& parts,
                            const InputCapabilities& capabilities) {
  std::uint64_t bytes = 0;
  for (const Message& message : messages) bytes += message.text.size();
  for (const ResolvedInput& part : parts.resolved()) {
    const auto& modes = capabilities.of(part.kind).modes;
    const bool base64 = std::any_of(modes.begin(), modes.end(), [&](const ModeCapability& mode) {
      return mode.mode == part.mode && mode.encoding == "base64";
    });
    bytes += base64 ? sdk::base64_length(part.size) : part.size;
  }
  return bytes;
}

std::vector<Message> conversation(const std::vector<Message>& history, const inputs::RunInputs& parts,
                                  const std::string& prompt, const inputs::RunInputs& inputs,
                                  const std::string& answer) {
  std::vector<Message> messages;
  messages.reserve(history.size() + 2);
  std::size_t position = 0;
  for (const Message& message : history) {
    Message& copy = messages.emplace_back();
    copy.role = message.role;
    copy.text = message.text;
    for (std::size_t i = 0; i < message.parts.size(); ++i, ++position) {
      copy.parts.push_back(reference_to(parts.resolved()[position], parts.url(position)));
    }
  }
  Message& turn = messages.emplace_back();
  turn.text = prompt;
  for (std::size_t i = 0; i < inputs.resolved().size(); ++i) {
    turn.parts.push_back(reference_to(inputs.resolved()[i], inputs.url(i)));
  }
  Message& last = messages.emplace_back();
  last.role = Role::assistant;
  last.text = answer;
  return messages;
}

}  // namespace attache::run
