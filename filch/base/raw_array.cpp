#include <filch/base/raw_array.hpp>

#include <sys/mman.h>

#include <new>

namespace filch::base {

void* allocate_huge_pages(std::size_t bytes) {
  void* const memory = ::operator new (bytes, std::align_val_t{huge_page_bytes});
#if defined(MADV_HUGEPAGE)
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // refused by a kernel built without them
#endif
  return memory;
}

void release_huge_pages(void* memory) noexcept { ::operator delete (memory, std::align_val_t{huge_page_bytes}); }

}  // namespace filch::base
