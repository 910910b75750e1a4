#include <filch/co/frames.hpp>

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

constexpr std::size_t class_bytes = 64;
constexpr std::size_t class_count = largest_kept_frame / class_bytes;
static_assert(largest_kept_frame % class_bytes == 0, "the largest class is full");

constexpr std::size_t class_of(std::size_t bytes) noexcept { return (bytes - 1) / class_bytes; }
constexpr std::size_t rounded(std::size_t bytes) noexcept { return (class_of(bytes) + 1) * class_bytes; }

struct kept_frame {
  kept_frame* next;
};

/// Constant-initialised and trivially destroyed, so that it can be used while a thread begins and ends.
struct frame_lists {
  enum class phase : unsigned char { unused, in_use, closed };
  kept_frame* first[class_count] = {};
  std::size_t bytes = 0;
  phase now = phase::unused;
};

FILCH_TLS_INITIAL_EXEC constinit thread_local frame_lists lists;

void give_back(void* frame) noexcept { ::operator delete(frame); }

/// Empties the lists when its thread ends.
struct closer {
  closer() noexcept { lists.now = frame_lists::phase::in_use; }
  ~closer() {
    lists.now = frame_lists::phase::closed;
    for (kept_frame*& first : lists.first) {
      while (first != nullptr) give_back(std::exchange(first, first->next));
    }
    lists.bytes = 0;
  }
};

/// Whether this thread may keep frames, from the first time on until it ends.
[[gnu::cold, gnu::noinline]] bool open_lists() noexcept {
  if (lists.now == frame_lists::phase::closed) return false;
  static thread_local const closer at_end;
  return true;
}

bool keeps(std::size_t bytes) noexcept {
  if (!FILCH_KEEPS_FRAMES || sched::is_outside() || lists.bytes + bytes > most_kept_bytes) return false;
  // Simulated threads keep none: their players would carry them from one run into the next, which then allocates less.
  if (base::current_simulation() != nullptr) return false;
  return lists.now == frame_lists::phase::in_use || open_lists();
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  if (bytes > largest_kept_frame) return ::operator new(bytes);
  kept_frame*& first = lists.first[class_of(bytes)];
  if (first == nullptr) return ::operator new(rounded(bytes));
  lists.bytes -= rounded(bytes);
  return std::exchange(first, first->next);
}

void release_frame(void* frame, std::size_t bytes) noexcept {
  if (bytes > largest_kept_frame || !keeps(rounded(bytes))) return give_back(frame);
  kept_frame*& first = lists.first[class_of(bytes)];
  first = ::new (frame) kept_frame{first};
  lists.bytes += rounded(bytes);
}

std::size_t kept_frame_bytes() noexcept { return lists.bytes; }

}  // namespace filch::co
