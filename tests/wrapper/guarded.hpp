// SPDX-License-Identifier: Apache-2.0
// Objects placed directly before memory that must not be touched.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace attache::testing {

/// The first `size` bytes of a T, ending at an inaccessible page: to read the byte behind ends the process.
template <class T>
class Guarded {
 public:
  explicit Guarded(const T& value, std::size_t size = sizeof(T)) : page_(static_cast<std::size_t>(getpagesize())) {
    void* const at = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char*>(at);
    mprotect(base_ + page_, page_, PROT_NONE);
    std::memcpy(base_ + page_ - size, &value, size);
    object_ = reinterpret_cast<T*>(base_ + page_ - size);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(base_, 2 * page_); }
  const T* get() const noexcept { return object_; }

 private:
  std::size_t page_;
  char* base_ = nullptr;
  T* object_ = nullptr;
};

}  // namespace attache::testing
