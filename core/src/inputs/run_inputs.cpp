// SPDX-License-Identifier: Apache-2.0
#include "inputs/run_inputs.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "inputs/copy_all.hpp"
#include "inputs/run_base.hpp"
#include "inputs/stages.hpp"
#include "inputs/workspace_placement.hpp"

namespace attache::inputs {

struct RunInputs::Impl {
  std::unique_ptr<RunDirectory> directory;
  std::unique_ptr<WorkspacePlacement> placement;  ///< goes first: the directory has its record
  std::string path, placement_path;
  std::vector<ResolvedInput> resolved;
  std::vector<std::string> local_paths, urls;
  std::vector<std::optional<FileIdentity>> identities;
  std::vector<char> exact_wanted, inside_bounds;

  void add(const Subject& subject, Copy copy, const Terms& terms);
};

void RunInputs::Impl::add(const Subject& subject, Copy copy, const Terms& terms) {
  ResolvedInput input;
  input.id = fmt::format("input-{}", subject.index + 1);
  input.index = subject.index;
  input.kind = subject.spec->kind;
  input.mode = subject.mode->mode;
  input.name = subject.name;
  input.media_type = subject.media_type;
  input.size = subject.size.value_or(0);
  input.sha256 = copy.sha256;
  resolved.push_back(std::move(input));
  local_paths.push_back(std::move(copy.path));
  identities.push_back(copy.identity);
  urls.push_back(subject.url() != nullptr ? *subject.url() : std::string());
  exact_wanted.push_back(inputs::wants_exact(subject, terms));
  inside_bounds.push_back(exactness(subject) != Exactness::outside);
}

namespace {

std::vector<Subject> declare_all(const std::vector<input::Input>& inputs, const Terms& terms, Findings& findings) {
  check_count(inputs.size(), terms, findings);
  findings.raise();
  std::vector<Subject> subjects;
  subjects.reserve(inputs.size());
  for (const input::Input& input : inputs) {
    declare(subjects.emplace_back(subjects.size(), input), terms, findings);
    findings.raise();
  }
  return subjects;
}

void negotiate_all(std::vector<Subject>& subjects, const Terms& terms, Findings& findings) {
  for (Subject& subject : subjects) {
    peek(subject, findings);
    findings.raise();
    choose_mode(subject, terms, findings);
    findings.raise();
    check_limits(subject, terms, false, findings);
    findings.raise();
  }
  check_set(subjects, terms, findings);
  findings.raise();
}

std::unique_ptr<RunDirectory> make_directory(const Terms& terms, Findings& findings) {
  try {
    return RunDirectory::make(open_run_base(terms.run_base));
  } catch (const FaultError& error) {
    findings.add_set(error.fault());
  }
  findings.raise();
  return nullptr;
}

bool is_copied(const Subject& subject) noexcept {
  return subject.source != nullptr;
}

/// Null: nothing has to lie in the workspace.
std::unique_ptr<WorkspacePlacement> place(std::vector<Subject>& subjects, RunDirectory& directory, const Terms& terms,
                                          Findings& findings) {
  std::unique_ptr<WorkspacePlacement> placement;
  for (Subject& subject : subjects) {
    if (!is_placed(subject, terms)) continue;
    try {
      if (!placement) placement = WorkspacePlacement::make(terms.workspace, directory);
    } catch (const FaultError& error) {
      findings.add(subject, error.fault());
      findings.raise();
    }
    subject.placement = &placement->directory();
  }
  return placement;
}

const std::string& nothing() noexcept {
  static const std::string empty;
  return empty;
}

}  // namespace

RunInputs RunInputs::prepare(const std::vector<input::Input>& inputs, const Terms& terms, std::stop_token stop) {
  RunInputs result;
  if (inputs.empty()) return result;
  check_stop(stop);
  Findings findings(terms);
  std::vector<Subject> subjects = declare_all(inputs, terms, findings);
  const std::stop_callback forward(stop, [&] {
    for (Subject& subject : subjects) subject.stop.request_stop();
  });
  negotiate_all(subjects, terms, findings);
  result.impl_ = std::make_unique<Impl>();
  std::vector<Copy> copies(subjects.size());
  if (std::any_of(subjects.begin(), subjects.end(), is_copied)) {
    result.impl_->directory = make_directory(terms, findings);
    result.impl_->path = result.impl_->directory->path();
    result.impl_->placement = place(subjects, *result.impl_->directory, terms, findings);
    if (result.impl_->placement) result.impl_->placement_path = result.impl_->placement->directory().path();
    copies = copy_all(subjects, *result.impl_->directory, terms, copy_threads(subjects), stop);
  }
  for (std::size_t i = 0; i < subjects.size(); ++i) result.impl_->add(subjects[i], std::move(copies[i]), terms);
  check_set(subjects, terms, findings);
  findings.raise();
  check_stop(stop);
  return result;
}

RunInputs::RunInputs() = default;
RunInputs::RunInputs(RunInputs&&) noexcept = default;
RunInputs& RunInputs::operator=(RunInputs&&) noexcept = default;
RunInputs::~RunInputs() = default;

const std::vector<ResolvedInput>& RunInputs::resolved() const noexcept {
  static const std::vector<ResolvedInput> none;
  return impl_ ? impl_->resolved : none;
}

const std::string& RunInputs::local_path(std::size_t i) const noexcept {
  return impl_->local_paths[i];
}
const std::string& RunInputs::url(std::size_t i) const noexcept {
  return impl_->urls[i];
}
const FileIdentity* RunInputs::identity(std::size_t i) const noexcept {
  return impl_->identities[i] ? &*impl_->identities[i] : nullptr;
}
bool RunInputs::wants_exact(std::size_t i) const noexcept {
  return impl_->exact_wanted[i] != 0;
}
bool RunInputs::inside_exact_bounds(std::size_t i) const noexcept {
  return impl_->inside_bounds[i] != 0;
}
const std::string& RunInputs::directory() const noexcept {
  return impl_ ? impl_->path : nothing();
}

RunDirectory* RunInputs::run_directory() noexcept {
  return impl_ ? impl_->directory.get() : nullptr;
}

const std::string& RunInputs::placement() const noexcept {
  return impl_ ? impl_->placement_path : nothing();
}

void RunInputs::remove() noexcept {
  if (impl_ && impl_->placement) impl_->placement->remove();
  if (impl_ && impl_->directory) impl_->directory->remove();
}

}  // namespace attache::inputs
