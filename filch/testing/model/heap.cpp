#include <filch/testing/model/heap.hpp>

#include <filch/base/panic.hpp>
#include <filch/testing/model/memory.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace filch::inline v0_2::testing {

bool allocates_simulated = false;
bool (*allocation_fails)() = nullptr;
void (*double_free_found)() = nullptr;

namespace {

constexpr std::size_t share_bytes = std::size_t{64} << 10;
constexpr std::size_t block_alignment = 64;

/// In front of every block.
struct block {
  bool is_free;
};

alignas(block_alignment)
    std::array<std::array<std::byte, share_bytes>, memory_model::max_threads> shares;
std::array<std::size_t, memory_model::max_threads> used{};
unsigned current = 0;

std::size_t rounded(std::size_t bytes) {
  return (bytes + block_alignment - 1) / block_alignment * block_alignment;
}

bool is_simulated(const void* memory) {
  const auto* const at = static_cast<const std::byte*>(memory);
  return at >= shares.front().data() && at < shares.back().data() + share_bytes;
}

void* allocate_simulated(std::size_t bytes) {
  if (allocation_fails != nullptr && allocation_fails()) return nullptr;
  const std::size_t start = used[current];
  const std::size_t end = start + block_alignment + rounded(bytes);
  FILCH_ASSERT(end <= share_bytes, "a scenario allocates more than the simulated heap has", end,
               share_bytes);
  used[current] = end;
  ::new (&shares[current][start]) block{false};
  return &shares[current][start + block_alignment];
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (allocates_simulated && alignment <= block_alignment) return allocate_simulated(bytes);
  return alignment <= alignof(std::max_align_t)
             ? std::malloc(std::max<std::size_t>(bytes, 1))
             : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* const memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

void release(void* memory) noexcept {
  if (!is_simulated(memory)) return std::free(memory);
  block& freed = *reinterpret_cast<block*>(static_cast<std::byte*>(memory) - block_alignment);
  if (freed.is_free && double_free_found != nullptr) double_free_found();
  freed.is_free = true;
}

}  // namespace

void restart_heap() noexcept { used.fill(0); }
void allocate_for(unsigned thread) noexcept { current = thread; }

}  // namespace filch::testing

using filch::testing::allocate_or_throw;
using filch::testing::release;

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
