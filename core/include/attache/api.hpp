// SPDX-License-Identifier: Apache-2.0
// Marks what the shared library shows.
#pragma once

#if defined(__GNUC__)
#define ATTACHE_API __attribute__((visibility("default")))
#else
#define ATTACHE_API
#endif
