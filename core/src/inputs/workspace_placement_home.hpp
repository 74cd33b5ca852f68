// SPDX-License-Identifier: Apache-2.0
// `.attache` in a workspace. Only for *_posix.cpp files.
#pragma once

#include <string>

#include "inputs/descriptor_posix.hpp"

namespace attache::inputs {

constexpr const char* home_name = ".attache";

/// Opens an absolute path component by component and follows no link. Invalid: errno tells.
FileDescriptor open_exactly(const std::string& path) noexcept;

/// `.attache` of an open workspace, made when it is not there, with its `.gitignore`, and locked against other hosts
/// until the descriptor is closed. Throws FaultError.
FileDescriptor lock_home(int workspace);

enum class HomeState { locked, absent, busy };
/// The same for one that is there and ours; one that is not ours counts as absent.
HomeState lock_present_home(int workspace, FileDescriptor& home) noexcept;

/// Removes a locked `.attache` that holds nothing but our `.gitignore`.
void remove_home_if_empty(int workspace, int home) noexcept;

/// Whether the name in `parent` is that of the open file.
bool is_named(int parent, const char* name, int file) noexcept;

}  // namespace attache::inputs
