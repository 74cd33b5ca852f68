// SPDX-License-Identifier: Apache-2.0
// The good driver: passes every check.
#include "kit_driver.hpp"

ATTACHE_DRIVER(attache::controls::KitDriver)
