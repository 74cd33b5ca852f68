/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is no driver. With MARKER it says when it was loaded. */
#include <stdio.h>
#include <stdlib.h>

#if defined(MARKER)
__attribute__((constructor)) static void leave_marker(void) {
  const char* path = getenv("ATTACHE_TEST_MARKER");
  FILE* file = path == NULL ? NULL : fopen(path, "w");
  if (file != NULL) fclose(file);
}
#endif

__attribute__((visibility("default"))) int attache_test_plain(void);
int attache_test_plain(void) {
  return 42;
}
