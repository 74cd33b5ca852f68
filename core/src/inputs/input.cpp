// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <attache/input.hpp>

#include "inputs/input_state.hpp"

namespace attache::input {

Input::Input(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}
Input::Input(const Input&) noexcept = default;
// A moved-from Input stays usable: it shares its state instead of losing it.
Input::Input(Input&& other) noexcept : state_(other.state_) {}
Input& Input::operator=(const Input&) noexcept = default;
Input& Input::operator=(Input&& other) noexcept {
  state_ = other.state_;
  return *this;
}
Input::~Input() = default;

Input Input::with(void (*change)(State&, void*), void* argument) const {
  auto changed = std::make_shared<State>(*state_);
  change(*changed, argument);
  return Input(std::move(changed));
}

Input Input::name(std::string value) const {
  return with([](State& state, void* argument) { state.name = std::move(*static_cast<std::string*>(argument)); },
              &value);
}

Input Input::media_type(std::string value) const {
  return with([](State& state, void* argument) { state.media_type = std::move(*static_cast<std::string*>(argument)); },
              &value);
}

Input Input::size(std::uint64_t bytes) const {
  return with([](State& state, void* argument) { state.size = *static_cast<std::uint64_t*>(argument); }, &bytes);
}

Input Input::sha256(const Digest& digest) const {
  Digest copy = digest;
  return with([](State& state, void* argument) { state.sha256 = *static_cast<Digest*>(argument); }, &copy);
}

Input Input::require(Mode mode) const {
  return with([](State& state, void* argument) { state.required = *static_cast<Mode*>(argument); }, &mode);
}

Input Input::fidelity(Fidelity value) const {
  return with([](State& state, void* argument) { state.fidelity = *static_cast<Fidelity*>(argument); }, &value);
}

Input Input::follow_links(bool value) const {
  return with([](State& state, void* argument) { state.follow_links = *static_cast<bool*>(argument); }, &value);
}

Input InputAccess::make(State state) {
  return Input(std::make_shared<const State>(std::move(state)));
}

Input from_path(Kind kind, std::filesystem::path path) {
  InputAccess::State state;
  state.kind = kind;
  state.source = std::move(path);
  return InputAccess::make(std::move(state));
}

Input from_bytes(Kind kind, std::string media_type, std::span<const std::byte> bytes) {
  InputAccess::State state;
  state.kind = kind;
  state.source = bytes;
  state.media_type = std::move(media_type);
  return InputAccess::make(std::move(state));
}

Input from_fs(Kind kind, std::shared_ptr<const FileSystem> files, std::string path) {
  InputAccess::State state;
  state.kind = kind;
  state.source = FileOf{std::move(files), std::move(path)};
  return InputAccess::make(std::move(state));
}

Input from_opener(Kind kind, std::string name, Opener open) {
  InputAccess::State state;
  state.kind = kind;
  state.source = std::move(open);
  if (!name.empty()) state.name = std::move(name);
  return InputAccess::make(std::move(state));
}

Input from_url(Kind kind, std::string url) {
  InputAccess::State state;
  state.kind = kind;
  state.source = Url{std::move(url)};
  return InputAccess::make(std::move(state));
}

}  // namespace attache::input
