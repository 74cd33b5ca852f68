// SPDX-License-Identifier: Apache-2.0
#include "scripted_driver.hpp"

#include <stdexcept>

#include "fake_host.hpp"

ATTACHE_DRIVER(attache::testing::Scripted)

/// As attache_add_driver() writes it: magic, schema 1, length, the bytes, and one byte more that is not of it.
extern "C" ATTACHE_EXPORT const unsigned char attache_descriptor_v1[] =
    "ATTACHE\x1a\x01\0\0\0\xb6\0\0\0" ATTACHE_TEST_DESCRIPTOR "!";
static_assert(sizeof ATTACHE_TEST_DESCRIPTOR == 0xb6 + 1);

namespace attache::testing {

Loaded::Loaded() : Loaded(fake_host()) {}

Loaded::Loaded(const attache_host& host) {
  if (attache_driver_entry_v1(&host, &table) != ATTACHE_OK) throw std::runtime_error("entry failed");
  Recorder sink;
  const attache_span config{"{}", 2};
  if (table->create(&config, sink.id(), &instance) != ATTACHE_OK) throw std::runtime_error("create failed");
}

}  // namespace attache::testing
