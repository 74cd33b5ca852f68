// SPDX-License-Identifier: Apache-2.0
#include "loader/driver_table.hpp"

#include <fmt/format.h>

#include "loader/loaded_driver.hpp"
#include "spi/host_table.hpp"

namespace attache {
namespace {

using Stage = LoadAttempt::Stage;

constexpr std::uint64_t least_table_size = offsetof(attache_driver, cancel) + sizeof(attache_driver::cancel);
constexpr std::uint64_t most_table_size = 4096;

StepResult bad_table(std::string reason, std::string text) {
  return {Stage::entry, std::move(reason), std::move(text), "the driver breaks the SPI: report it to its publisher"};
}

StepResult check_table(const attache_driver* table, const Descriptor& descriptor) {
  if (table == nullptr) return bad_table("no_table", "the entry function reported success, but gave no table");
  if (table->struct_size < least_table_size || table->struct_size > most_table_size || table->struct_size % 8 != 0) {
    return bad_table("table_size", fmt::format("the driver's table says it has {} bytes; SPI {}.0 has {}",
                                               table->struct_size, ATTACHE_SPI_MAJOR, least_table_size));
  }
  if (table->reserved0 != 0) return bad_table("table_reserved", "a reserved field of the driver's table is not zero");
  if (table->minor != descriptor.spi_built_minor) {
    return bad_table("table_minor", fmt::format("the driver's table says SPI {0}.{1}, its descriptor SPI {0}.{2}",
                                                ATTACHE_SPI_MAJOR, table->minor, descriptor.spi_built_minor));
  }
  if (table->describe == nullptr || table->create == nullptr || table->destroy == nullptr || table->run == nullptr ||
      table->cancel == nullptr) {
    return bad_table("table_function_missing", "a mandatory function is missing from the driver's table");
  }
  return {};
}

StepResult check_describe(const attache_driver& table, const Descriptor& descriptor) {
  const spi::Sink sink;
  const attache_status status = table.describe(sink.handle());
  const std::optional<std::string> document = sink.document();
  if (status == ATTACHE_OK && document == descriptor.json) return {};
  return {Stage::describe, status == ATTACHE_OK ? "descriptor_differs" : "describe_failed",
          status == ATTACHE_OK ? "describe puts another document than the file holds"
                               : fmt::format("describe returned status {}", status),
          "the driver breaks the SPI: report it to its publisher"};
}

}  // namespace

StepResult enter_driver(attache_driver_entry_v1_fn entry, const Descriptor& descriptor, const attache_driver*& table) {
  const attache_driver* given = nullptr;
  const attache_status status = entry(&spi::host_table(), &given);
  if (status != ATTACHE_OK) {
    return {Stage::entry, "entry_failed", fmt::format("the entry function returned status {}", status),
            status == ATTACHE_CONTRACT ? "the driver needs a newer host" : "report it to the driver's publisher"};
  }
  StepResult result = check_table(given, descriptor);
  if (!result.failed()) result = check_describe(*given, descriptor);
  if (!result.failed()) table = given;
  return result;
}

}  // namespace attache
