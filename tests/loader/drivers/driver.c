/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest driver, in C. Macros make the broken variants of it:
 *   MARKER        the constructor makes the file named by the environment variable ATTACHE_TEST_MARKER
 *   CRASH_LOAD, HANG_LOAD, CRASH_ENTRY     what the names say
 *   OTHER_DESCRIBE     describe puts another document
 *   NEEDS_MISSING      it needs a function that nobody has
 *   BUILT_LATER        the table is of SPI 1.9
 *   SHORT_TABLE, NO_RUN, MINOR_TOO_HIGH, RESERVED_SET, NULL_TABLE, ENTRY_FAILS     the table is not as it must be
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <attache/sdk/spi.h>

extern ATTACHE_EXPORT const unsigned char attache_descriptor_v1[];

static const attache_host* host;

#if defined(MARKER)
__attribute__((constructor)) static void leave_marker(void) {
  const char* path = getenv("ATTACHE_TEST_MARKER");
  FILE* file = path == NULL ? NULL : fopen(path, "w");
  if (file != NULL) fclose(file);
}
#endif
#if defined(CRASH_LOAD)
__attribute__((constructor)) static void crash(void) {
  raise(SIGSEGV);
}
#endif
#if defined(HANG_LOAD)
__attribute__((constructor)) static void hang(void) {
  for (;;) pause();
}
#endif

static attache_status describe(attache_sink sink) {
  attache_span json;
  attache_descriptor_header header;
  memcpy(&header, attache_descriptor_v1, sizeof header);
  json.data = (const char*)attache_descriptor_v1 + sizeof header;
  json.size = header.length;
#if defined(OTHER_DESCRIBE)
  json.size -= 1;
#endif
  return host->put(sink, &json);
}

static attache_status create(const attache_span* config, attache_sink sink, attache_instance** instance) {
  (void)config;
  (void)sink;
  *instance = (attache_instance*)(uintptr_t)1;
  return ATTACHE_OK;
}

static void destroy(attache_instance* instance) {
  (void)instance;
}

static attache_status run(attache_instance* instance, const attache_request* request, attache_run handle) {
  (void)instance;
  (void)request;
  (void)handle;
  return ATTACHE_UNSUPPORTED_KIND;
}

static attache_status cancel(attache_instance* instance, attache_run handle) {
  (void)instance;
  (void)handle;
  return ATTACHE_OK;
}

#if defined(NEEDS_MISSING)
extern void attache_test_nobody_has_this(void);
#endif

static attache_driver table;

attache_status attache_driver_entry_v1(const attache_host* given, const attache_driver** driver) {
#if defined(CRASH_ENTRY)
  raise(SIGABRT);
#endif
#if defined(ENTRY_FAILS)
  return ATTACHE_CONTRACT;
#endif
#if defined(NEEDS_MISSING)
  attache_test_nobody_has_this();
#endif
  host = given;
  table.struct_size = sizeof table;
  table.minor = ATTACHE_SPI_MINOR;
  table.describe = describe;
  table.create = create;
  table.destroy = destroy;
  table.run = run;
  table.cancel = cancel;
#if defined(SHORT_TABLE)
  table.struct_size = offsetof(attache_driver, run);
#elif defined(NO_RUN)
  table.run = NULL;
#elif defined(MINOR_TOO_HIGH)
  table.minor = 7;
#elif defined(BUILT_LATER)
  table.minor = 9;
#elif defined(RESERVED_SET)
  table.reserved0 = 1;
#endif
  *driver = &table;
#if defined(NULL_TABLE)
  *driver = NULL;
#endif
  return ATTACHE_OK;
}
