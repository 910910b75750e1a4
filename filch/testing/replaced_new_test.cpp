#include <filch/testing/replaced_new_test.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

[[gnu::noinline]] void* allocate(std::size_t bytes, std::size_t alignment) {
  filch::testing::will_allocate();
  const std::size_t padded = (bytes + alignment) / alignment * alignment;
  void* const block = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, padded)
                                                            : std::malloc(padded);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

[[gnu::noinline]] void release(void* block) noexcept {
  if (block == nullptr) return;
  filch::testing::will_release();
  std::free(block);
}

constexpr std::size_t usual = alignof(std::max_align_t);
constexpr std::size_t aligned(std::align_val_t alignment) noexcept {
  return static_cast<std::size_t>(alignment);
}

}  // namespace

// All of them: a sanitizer brings its own, which do not call each other.
void* operator new(std::size_t bytes) { return allocate(bytes, usual); }
void* operator new[](std::size_t bytes) { return allocate(bytes, usual); }
void* operator new(std::size_t bytes, std::align_val_t to) { return allocate(bytes, aligned(to)); }
void* operator new[](std::size_t bytes, std::align_val_t to) {
  return allocate(bytes, aligned(to));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
  return allocate(bytes, usual);
} catch (...) {
  return nullptr;
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept try {
  return allocate(bytes, usual);
} catch (...) {
  return nullptr;
}
void* operator new(std::size_t bytes, std::align_val_t to, const std::nothrow_t&) noexcept try {
  return allocate(bytes, aligned(to));
} catch (...) {
  return nullptr;
}
void* operator new[](std::size_t bytes, std::align_val_t to, const std::nothrow_t&) noexcept try {
  return allocate(bytes, aligned(to));
} catch (...) {
  return nullptr;
}
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  release(block);
}
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  release(block);
}
