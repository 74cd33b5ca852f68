/* SPDX-License-Identifier: Apache-2.0 */
/* A driver of SPI 2, as this kit's future will see one. */
#include <stdlib.h>

__attribute__((visibility("default"))) const unsigned char attache_descriptor_v2[16] = "ATTACHE\x1a\x01";
__attribute__((visibility("default"))) int attache_driver_entry_v2(const void* host, const void** driver) {
  (void)host;
  (void)driver;
  return 0;
}
__attribute__((constructor)) static void never(void) {
  abort();
}
