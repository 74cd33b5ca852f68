/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ATTACHE_TESTS_LAYOUT_H
#define ATTACHE_TESTS_LAYOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field with its offset and size, a constant with its value, or a struct with its size. */
struct layout_entry {
  const char* name;
  uint64_t first;
  uint64_t second;
};
struct layout {
  const struct layout_entry* entries;
  uint64_t entry_count;
  const struct layout_entry* sizes;
  uint64_t size_count;
};

struct layout frozen_layout(void);  /* as the frozen header of 1.0 has it */
struct layout present_layout(void); /* the same, as the present header has it */

#ifdef __cplusplus
}
#endif

#endif
