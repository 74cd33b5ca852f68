// SPDX-License-Identifier: Apache-2.0
#include "scripted_driver.hpp"

#include <stdexcept>

#include "fake_host.hpp"

ATTACHE_DRIVER(attache::testing::Scripted)

/// As attache_add_driver() writes it: magic, schema 1, length 11, the bytes, and one byte more that is not of it.
extern "C" ATTACHE_EXPORT const unsigned char attache_descriptor_v1[] = {
    'A', 'T', 'T', 'A', 'C', 'H', 'E', 0x1a, 1,   0,   0,   0,   11,  0,
    0,   0,   '{', '"', 'i', 'd', '"', ':',  '"', 's', '"', '}', ' ', '!'};

namespace attache::testing {

Loaded::Loaded() {
  if (attache_driver_entry_v1(&fake_host(), &table) != ATTACHE_OK) throw std::runtime_error("entry failed");
  Recorder sink;
  const attache_span config{"{}", 2};
  if (table->create(&config, sink.id(), &instance) != ATTACHE_OK) throw std::runtime_error("create failed");
}

}  // namespace attache::testing
