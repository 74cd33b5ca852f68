// SPDX-License-Identifier: Apache-2.0
// Driver × kind × mode × media type, written out. A mode or type that goes from a descriptor, or comes to it, is seen
// here; attache-conformance proves each row on the wire.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <attache/descriptor.hpp>
#include <attache/host.hpp>

namespace attache {
namespace {

using Rows = std::set<std::string>;

const std::vector<std::string> drivers{"acp", "claude", "codex"};

/// "!" after the mode: only after an inspection. "=": bytes are kept everywhere, "~": inside of bounds, "": no promise.
const Rows table{
    "acp image native! image/gif",
    "acp image native! image/jpeg",
    "acp image native! image/png",
    "acp image native! image/webp",
    "acp image workspace_reference image/gif",
    "acp image workspace_reference image/jpeg",
    "acp image workspace_reference image/png",
    "acp image workspace_reference image/webp",
    "acp file native! application/json",
    "acp file native! application/pdf",
    "acp file native! text/csv",
    "acp file native! text/markdown",
    "acp file native! text/plain",
    "acp file workspace_reference application/json",
    "acp file workspace_reference application/pdf",
    "acp file workspace_reference text/csv",
    "acp file workspace_reference text/markdown",
    "acp file workspace_reference text/plain",
    "acp audio native! audio/mp4",
    "acp audio native! audio/mpeg",
    "acp audio native! audio/ogg",
    "acp audio native! audio/wav",
    "acp audio native! audio/webm",
    "acp video unsupported",

    "claude image native~ image/gif",
    "claude image native~ image/jpeg",
    "claude image native~ image/png",
    "claude image native~ image/webp",
    "claude file native application/pdf",
    "claude file native text/plain",
    "claude audio unsupported",
    "claude video unsupported",

    "codex image native image/gif",
    "codex image native~ image/jpeg",
    "codex image native~ image/png",
    "codex image native~ image/webp",
    "codex file workspace_reference application/json",
    "codex file workspace_reference application/pdf",
    "codex file workspace_reference text/csv",
    "codex file workspace_reference text/markdown",
    "codex file workspace_reference text/plain",
    "codex audio native!= audio/mp4",
    "codex audio native!= audio/mpeg",
    "codex audio native!= audio/ogg",
    "codex audio native!= audio/wav",
    "codex audio native!= audio/webm",
    "codex video unsupported",
};

std::string promise(const ModeCapability& mode, const std::string& type) {
  if (!mode.exact || mode.exact->never || !mode.exact->keeps(type)) return "";
  const ExactBounds& bounds = *mode.exact;
  const bool bounded = bounds.max_bytes || bounds.max_side_px || bounds.max_patches;
  return bounded ? "~" : "=";
}

Rows rows_of(const Descriptor& descriptor) {
  Rows out;
  for (const input::Kind kind : {input::Kind::image, input::Kind::file, input::Kind::audio, input::Kind::video}) {
    const std::string head = descriptor.id + " " + std::string(input::to_string(kind)) + " ";
    const std::vector<ModeCapability>& modes = descriptor.inputs.of(kind).modes;
    if (modes.empty()) out.insert(head + "unsupported");
    for (const ModeCapability& mode : modes) {
      const std::string name = std::string(input::to_string(mode.mode)) + (mode.needs_inspection ? "!" : "");
      if (mode.media_types.empty()) out.insert(head + name + promise(mode, "") + " any");
      for (const std::string& type : mode.media_types) out.insert(head + name + promise(mode, type) + " " + type);
    }
  }
  return out;
}

TEST(CapabilityTable, IsWhatTheBuiltDriversSay) {
  Rows said;
  for (const std::string& id : drivers) {
    const FileReport report = read_plugin_file(std::string(DRIVERS) + "/attache-driver-" + id + ".so");
    ASSERT_TRUE(report.descriptor) << id << ": " << report.text;
    EXPECT_EQ(report.descriptor->id, id);
    said.merge(rows_of(*report.descriptor));
  }
  for (const std::string& row : table) EXPECT_TRUE(said.count(row) == 1) << "no driver says: " << row;
  for (const std::string& row : said) EXPECT_TRUE(table.count(row) == 1) << "not in the table: " << row;
}

TEST(CapabilityTable, HasEveryDriverThatIsBuilt) {
  HostOptions options;
  options.directories = {DRIVERS};
  options.installed_directory = false;
  options.allow_writable_by_others = true;  // a build tree's folders are what the umask made them
  std::set<std::string> found;
  for (const FileReport& one : Host(options).list().files) found.insert(one.descriptor->id);
  EXPECT_EQ(found, std::set<std::string>(drivers.begin(), drivers.end()));
}

}  // namespace
}  // namespace attache
