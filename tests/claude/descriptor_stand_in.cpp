// SPDX-License-Identifier: Apache-2.0
// These tests link the driver's objects; the real descriptor is in the plugin that attache_add_driver() makes.
#include <attache/sdk/driver.hpp>

extern "C" ATTACHE_EXPORT const unsigned char attache_descriptor_v1[] = {'A', 'T', 'T', 'A', 'C', 'H', 'E', 0x1a, 1,
                                                                         0,   0,   0,   2,   0,   0,   0,   '{',  '}'};
