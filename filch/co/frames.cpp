#include <filch/co/frames.hpp>

#include <filch/base/cache_line.hpp>
#include <filch/base/simulation.hpp>
#include <filch/sched/current.hpp>

#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define FILCH_KEEPS_FRAMES false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FILCH_KEEPS_FRAMES false
#endif
#endif
#if !defined(FILCH_KEEPS_FRAMES)
#define FILCH_KEEPS_FRAMES true
#endif

namespace filch::co {
namespace {

// Classes end where a block of glibc's ends, which has 8 bytes of its own.
constexpr std::size_t class_bytes = 32, overhead_bytes = 8;
constexpr std::size_t class_of(std::size_t bytes) noexcept { return (bytes + overhead_bytes - 1) / class_bytes; }
constexpr std::size_t units_of(std::size_t bytes) noexcept { return class_of(bytes) + 1; }  ///< Of `class_bytes` each.
constexpr std::size_t rounded(std::size_t bytes) noexcept { return units_of(bytes) * class_bytes - overhead_bytes; }
static_assert(largest_kept_frame == rounded(largest_kept_frame), "the largest class is full");
constexpr std::size_t most_kept_units = most_kept_bytes / class_bytes;

struct kept_frame {
  kept_frame* next;
};

/// Constant-initialised and trivially destroyed, so that it can be used while a thread begins and ends.
struct frame_lists {
  enum class phase : unsigned char { unused, in_use, closed };
  kept_frame* first[class_of(largest_kept_frame) + 1] = {};
  std::size_t free_units = 0;  ///< That it has room for. None before a worker has opened it.
  phase now = phase::unused;
};

// Aligned: see `innermost`.
alignas(base::cache_line_bytes) FILCH_TLS_INITIAL_EXEC constinit thread_local frame_lists lists;

void give_back(void* frame) noexcept { ::operator delete(frame); }

/// Empties the lists when its thread ends.
struct closer {
  closer() noexcept {
    lists.now = frame_lists::phase::in_use;
    lists.free_units = most_kept_units;
  }
  ~closer() {
    lists.now = frame_lists::phase::closed;
    lists.free_units = 0;
    for (kept_frame*& first : lists.first) {
      while (first != nullptr) give_back(std::exchange(first, first->next));
    }
  }
};

/// Gives the thread's lists room until it ends. False: they have that, or had, or may not.
bool open_lists() noexcept {
  // Simulated threads keep none: their players would carry them from one run into the next, which then allocates less.
  if (!FILCH_KEEPS_FRAMES || sched::is_outside() || base::current_simulation() != nullptr) return false;
  if (lists.now != frame_lists::phase::unused) return false;
  static thread_local const closer at_end;
  return true;
}

// What is seldom. Apart, so that the others need no registers of their own.
[[gnu::cold, gnu::noinline]] void release_slowly(void* frame, std::size_t bytes) noexcept {
  if (bytes > largest_kept_frame || !open_lists()) return give_back(frame);
  release_frame(frame, bytes);
}
[[gnu::cold, gnu::noinline]] void* allocate_new(std::size_t bytes) {
  return ::operator new(bytes > largest_kept_frame ? bytes : rounded(bytes));
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  if (bytes > largest_kept_frame) [[unlikely]]
    return allocate_new(bytes);
  kept_frame*& first = lists.first[class_of(bytes)];
  if (first == nullptr) [[unlikely]]
    return allocate_new(bytes);
  lists.free_units += units_of(bytes);
  return std::exchange(first, first->next);
}

void release_frame(void* frame, std::size_t bytes) noexcept {
  if (bytes > largest_kept_frame || lists.free_units < units_of(bytes) || base::current_simulation() != nullptr) [[unlikely]]
    return release_slowly(frame, bytes);
  lists.free_units -= units_of(bytes);
  kept_frame*& first = lists.first[class_of(bytes)];
  first = ::new (frame) kept_frame{first};
}

std::size_t kept_frame_bytes() noexcept {
  return lists.now == frame_lists::phase::in_use ? (most_kept_units - lists.free_units) * class_bytes : 0;
}

}  // namespace filch::co
