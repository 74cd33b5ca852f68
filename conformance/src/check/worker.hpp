// SPDX-License-Identifier: Apache-2.0
// The process of one job.
#pragma once

#include <filesystem>
#include <string>

namespace attache::conformance {

/// Carries out the job a specification file describes: messages go to what was standard output, and the driver gets
/// files in the scratch folder for its standard streams. Returns the exit code of the process.
int work_on(const std::filesystem::path& specification);

/// Writes all of it, in as few pieces as the system takes.
void write_channel(int channel, const std::string& bytes);

}  // namespace attache::conformance
