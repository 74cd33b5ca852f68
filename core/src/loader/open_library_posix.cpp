// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include <boost/dll/shared_library.hpp>
#include <dlfcn.h>
#include <fmt/format.h>

#include "loader/mapping.hpp"
#include "loader/open_library.hpp"

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

// Boost.DLL has no word for it, but passes the bits of the platform through.
constexpr auto never_unload = static_cast<boost::dll::load_mode::type>(RTLD_NODELETE);

}  // namespace

StepResult open_library(const BoundedFile& file, OpenLibrary& out) {
  std::shared_ptr<boost::dll::shared_library> library;
  try {
    using boost::dll::load_mode::rtld_local;
    using boost::dll::load_mode::rtld_now;
    library = std::make_shared<boost::dll::shared_library>(file.real_path(), rtld_now | rtld_local | never_unload);
    out.entry = &library->get<attache_status(const attache_host*, const attache_driver**)>("attache_driver_entry_v1");
  } catch (const std::system_error& error) {
    // The code says nothing (EBADF whatever happened); the text is the loader's own, and names paths.
    return {Stage::load, "loader_failed", "the system's loader refused the library",
            fmt::format("install what the driver needs, or build it again; the loader says: {}", error.what())};
  }
  const auto checked = file_identity(file);
  const auto mapped = mapped_identity(reinterpret_cast<const void*>(out.entry));
  if (!checked || !mapped || *checked != *mapped) {
    return {Stage::identity, "file_replaced", "the file that was loaded is not the one that was checked",
            "restart the host; replace drivers only while no host loads them"};
  }
  out.library = std::move(library);
  return {};
}

}  // namespace attache
