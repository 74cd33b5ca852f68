// SPDX-License-Identifier: Apache-2.0
#include "redact/redactor.hpp"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "redact/path_forms.hpp"
#include "redact/secrets.hpp"

namespace attache::redact {
namespace {

constexpr std::size_t telling_name = 12;  ///< shorter names of a run directory are not replaced on their own

void add_path(PatternSet& patterns, std::string_view path, const std::string& replacement) {
  for (const std::string& form : path_forms(path)) {
    patterns.add(form, replacement);
  }
}

void add_secrets(PatternSet& patterns, const Guard& guard) {
  for (const std::string& secret : guard.secrets) {
    for (const std::string& form : secret_forms(secret)) {
      patterns.add(form, "[secret]");
    }
  }
}

/// The path below `parent`, or empty when it is not below it.
std::string_view below(std::string_view path, std::string_view parent) {
  if (parent.empty() || path.size() <= parent.size() + 1 || path.substr(0, parent.size()) != parent ||
      path[parent.size()] != '/') {
    return {};
  }
  return path.substr(parent.size() + 1);
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

void add_directory(PatternSet& patterns, const Guard& guard, const std::string& run_directory) {
  if (run_directory.empty()) {
    return;
  }
  const std::string run = "attache-input://run";
  std::vector<std::string> directories{run_directory};
  const std::string_view relative = below(run_directory, guard.workspace);
  if (!relative.empty()) {
    directories.emplace_back(relative);
    directories.push_back("./" + std::string(relative));
  }
  const std::string_view name = last_name(run_directory);
  if (name.size() >= telling_name) {
    directories.emplace_back(name);
  }
  for (const std::string& directory : directories) {
    for (const GuardedInput& input : guard.inputs) {
      const std::string_view file = below(input.local_path, run_directory);
      if (!file.empty()) {
        add_path(patterns, directory + "/" + std::string(file), "attache-input://" + input.id);
      }
    }
    add_path(patterns, directory, run);
  }
}

void add_run_paths(PatternSet& patterns, const Guard& guard) {
  add_directory(patterns, guard, guard.directory);
  add_directory(patterns, guard, guard.history_directory);
  for (const std::string& directory : guard.further) {
    add_directory(patterns, guard, directory);
  }
  for (const GuardedInput& input : guard.inputs) {
    if (!input.local_path.empty()) {
      add_path(patterns, input.local_path, "attache-input://" + input.id);
    }
  }
}

/// The base directory is named only where that hides nothing of the user's: it must be deep enough and hold no
/// workspace.
std::string_view base_directory(const Guard& guard) {
  const std::string& below_it = guard.directory.empty() ? guard.history_directory : guard.directory;
  const std::string_view base = std::string_view(below_it).substr(0, below_it.rfind('/'));
  const bool deep = base.find('/', 1) != std::string_view::npos;
  const bool holds_workspace = base == guard.workspace || !below(guard.workspace, base).empty();
  return deep && !holds_workspace ? base : std::string_view{};
}

/// The place behind the string that begins at `begin`.
std::size_t string_end(std::string_view json, std::size_t begin) {
  for (std::size_t at = begin + 1; at < json.size(); ++at) {
    if (json[at] == '"') {
      return at + 1;
    }
    at += json[at] == '\\' ? 1 : 0;
  }
  return json.size();
}

}  // namespace

Redactor::Redactor(const Guard& guard) : inputs_(guard.inputs) {
  for (PatternSet* patterns : {&answer_patterns_, &guarded_patterns_}) {
    add_secrets(*patterns, guard);
    add_run_paths(*patterns, guard);
  }
  for (const GuardedInput& input : guard.inputs) {
    for (const std::string& source : input.source_paths) {
      add_path(guarded_patterns_, source, "attache-input://" + input.id);
    }
  }
  const std::string_view base = base_directory(guard);
  if (!base.empty()) {
    add_path(guarded_patterns_, base, "attache-input://base");
  }
}

const InputWindows& Redactor::windows() {
  if (windows_ == nullptr) {
    windows_ = std::make_unique<InputWindows>();
    for (const GuardedInput& input : inputs_) {
      windows_->add(input);
    }
  }
  return *windows_;
}

std::string Redactor::answer(std::string_view text) const {
  return StreamRedactor::apply(answer_patterns_, text);
}

std::string Redactor::without_windows(std::string text, WindowScanner::Reach reach) {
  // Reading the windows of large inputs takes longer than the rest of a short run.
  if (text.size() < InputWindows::length) return text;
  WindowScanner scanner(windows(), reach);
  std::string out = scanner.push(text);
  out += scanner.flush();
  return out;
}

std::string Redactor::guarded(std::string_view text) {
  return without_windows(StreamRedactor::apply(guarded_patterns_, text), WindowScanner::Reach::line);
}

std::string Redactor::guarded_json(std::string_view json) {
  std::string out;
  while (!json.empty()) {
    const std::size_t begin = std::min(json.find('"'), json.size());
    out += json.substr(0, begin);
    json.remove_prefix(begin);
    const std::string_view written = json.substr(0, json.empty() ? 0 : string_end(json, 0));
    json.remove_prefix(written.size());
    const auto value = nlohmann::json::parse(written, nullptr, false);
    if (!value.is_string()) {
      out += written;
      continue;
    }
    const auto& text = value.get_ref<const std::string&>();
    const std::string clean =
        without_windows(StreamRedactor::apply(guarded_patterns_, text), WindowScanner::Reach::everything);
    out +=
        clean == text ? written : nlohmann::json(clean).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  return out;
}

Redactor::Stream& Redactor::stream(Channel channel) {
  Stream& found = streams_[static_cast<std::size_t>(channel)];
  if (!found.paths.has_value()) {
    const bool raw = channel != Channel::answer && channel != Channel::reasoning;
    found.paths.emplace(raw ? guarded_patterns_ : answer_patterns_);
    if (raw) {
      found.windows.emplace(windows());
    }
  }
  return found;
}

std::string Redactor::push(Channel channel, std::string_view piece) {
  Stream& to = stream(channel);
  std::string out = to.paths->push(piece);
  return to.windows.has_value() ? to.windows->push(out) : out;
}

std::string Redactor::flush(Channel channel) {
  Stream& to = streams_[static_cast<std::size_t>(channel)];
  if (!to.paths.has_value()) {
    return {};
  }
  std::string out = to.paths->flush();
  if (to.windows.has_value()) {
    out = to.windows->push(out);
    out += to.windows->flush();
  }
  return out;
}

}  // namespace attache::redact
