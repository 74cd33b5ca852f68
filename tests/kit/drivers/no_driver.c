/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is no driver. */
__attribute__((visibility("default"))) int attache_test_answer(void) {
  return 42;
}
