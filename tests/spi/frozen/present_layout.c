/* SPDX-License-Identifier: Apache-2.0 */
#include <attache/sdk/spi.h>

#include "layout_1_0.inc"

struct layout present_layout(void) {
  struct layout all = {entries, sizeof entries / sizeof *entries, sizes, sizeof sizes / sizeof *sizes};
  return all;
}
