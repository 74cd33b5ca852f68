// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attache::cli {

/// What the process tells its caller; docs/cli.md lists them, and values never change.
enum class ExitCode {
  ok = 0,
  failed = 1,          ///< the provider or the run failed
  usage = 2,           ///< the command line is wrong
  input_refused = 3,   ///< an input was refused; nothing was sent
  driver_missing = 4,  ///< no such driver, or it was refused
  config_invalid = 5,  ///< the configuration is wrong, or asks for what the driver does not offer
  timeout = 6,
  cancelled = 130,
  reader_gone = 141,  ///< whoever read standard output stopped
};

}  // namespace attache::cli
