#include <filch/base/raw_array.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace filch::inline v0_2::base {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
// From here on glibc maps each block by itself. Smaller blocks come from its heap once one has been
// freed, and are reused. If they were aligned, each would be mapped anew: what is cut off in front
// makes a freed block too short for the next.
constexpr std::size_t mapped_by_itself = std::size_t{32} << 20;

std::align_val_t alignment_of(std::size_t bytes, std::size_t least) noexcept {
  return std::align_val_t{bytes > mapped_by_itself ? std::max(huge_page, least) : least};
}

// Whole pages only: the memory beside them belongs to others.
void ask_for_huge_pages([[maybe_unused]] std::byte* memory,
                        [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(memory) % huge_page;
  const std::size_t length = (bytes - before) / huge_page * huge_page;
  ::madvise(memory + before, length, MADV_HUGEPAGE);  // refused by a kernel built without them
#endif
}

}  // namespace

void* allocate_huge_pages(std::size_t bytes, std::size_t alignment) {
  void* const memory = ::operator new(bytes, alignment_of(bytes, alignment));
  ask_for_huge_pages(static_cast<std::byte*>(memory), bytes);
  return memory;
}

void release_huge_pages(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
  ::operator delete(memory, alignment_of(bytes, alignment));
}

}  // namespace filch::base
