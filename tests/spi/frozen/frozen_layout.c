/* SPDX-License-Identifier: Apache-2.0 */
/* The table comes after what it describes. */
// clang-format off
#include "spi_1_0.h"
#include "layout_1_0.inc"
// clang-format on

struct layout frozen_layout(void) {
  struct layout all = {entries, sizeof entries / sizeof *entries, sizes, sizeof sizes / sizeof *sizes};
  return all;
}
