/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor object that is wrong in one way. */
#include <attache/sdk/spi.h>

#if defined(BAD_DOCUMENT)
#define DOCUMENT "{\"schema\":1}"
#else
#define DOCUMENT "{}"
#endif

struct object {
  attache_descriptor_header header;
  char json[sizeof DOCUMENT - 1];
};

#if defined(WRITABLE)
#define QUALIFIER
#else
#define QUALIFIER const
#endif

extern ATTACHE_EXPORT QUALIFIER struct object attache_descriptor_v1;

QUALIFIER struct object attache_descriptor_v1 = {{
#if defined(BAD_MAGIC)
                                                     {'N', 'O', 'T', 'O', 'U', 'R', 'S', 0},
#else
                                                     {'A', 'T', 'T', 'A', 'C', 'H', 'E', 0x1a},
#endif
#if defined(BAD_SCHEMA)
                                                     2,
#else
                                                     1,
#endif
#if defined(BAD_LENGTH)
                                                     4096},
#else
                                                     sizeof DOCUMENT - 1},
#endif
                                                 DOCUMENT};
