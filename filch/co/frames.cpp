#include <filch/co/frames.hpp>

#include <filch/base/atomic.hpp>
#include <filch/base/cache_line.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/simulation.hpp>
#include <filch/base/thread_pointer.hpp>
#include <filch/sched/current.hpp>

#include <pthread.h>

#include <array>
#include <cstdint>
#include <memory>
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

namespace filch::inline v0_2::co {
namespace {

// Classes end where glibc's blocks end; each block has 8 bytes of its own.
constexpr std::size_t class_bytes = 32, overhead_bytes = 8;
constexpr std::size_t class_of(std::size_t bytes) noexcept {
  return (bytes + overhead_bytes - 1) / class_bytes;
}
constexpr std::size_t classes = class_of(largest_kept_frame) + 1;
constexpr std::size_t block_bytes(std::size_t of) noexcept { return (of + 1) * class_bytes; }
constexpr std::size_t rounded(std::size_t bytes) noexcept {
  return block_bytes(class_of(bytes)) - overhead_bytes;
}
static_assert(largest_kept_frame == rounded(largest_kept_frame), "the largest class is full");
/// How many frames of a class move between threads together.
constexpr std::uint16_t length_of_chain(std::size_t of) noexcept {
  return static_cast<std::uint16_t>(chain_bytes / block_bytes(of));
}
static_assert(2 * classes * chain_bytes <= most_kept_bytes && length_of_chain(classes - 1) > 1,
              "two chains of each class are kept");

struct kept_frame {
  kept_frame* next;
  kept_frame* next_chain;  ///< In the depot, for the first frame of a chain.
};

/// What one thread keeps.
struct alignas(base::cache_line_bytes) frame_lists {
  kept_frame* first[classes] = {};
  /// How many frames `first` lacks to be as long as a chain.
  std::uint16_t room[classes] = {};
  /// A second list of each class, as long as a chain: so two visits to the depot are at least a
  /// chain of frames apart.
  kept_frame* full[classes] = {};
};

// The lists of a thread that keeps no frames: before it has its own, and while it ends. They hold
// no frame and have no room, so no thread writes to them.
constinit frame_lists none_yet, none_any_more;
FILCH_TLS_INITIAL_EXEC constinit thread_local frame_lists* lists = &none_yet;
bool has_own_lists() noexcept { return lists != &none_yet && lists != &none_any_more; }

void give_back(void* frame) noexcept { ::operator delete(frame); }
void give_back_all(kept_frame& chain) noexcept {
  for (kept_frame* each = &chain; each != nullptr;) give_back(std::exchange(each, each->next));
}

/// Full chains that their threads had no room for, for any thread that needs one. A thread sees
/// without the lock that it would come in vain.
class frame_depot {
 public:
  /// False: the depot is full, and holds no class with more chains than this one.
  bool take(std::size_t of, kept_frame* chain) noexcept {
    if (is_full() && held(of) == held(fullest())) return false;
    kept_frame* gives_way = nullptr;
    {
      base::lock_guard guard{lock_};
      if (is_full()) gives_way = pop(fullest());
      push(of, chain);
    }
    if (gives_way != nullptr) give_back_all(*gives_way);
    return true;
  }
  /// A chain, or null.
  kept_frame* give(std::size_t of) noexcept {
    if (first_[of].load(base::relaxed) == nullptr) return nullptr;
    base::lock_guard guard{lock_};
    return first_[of].load(base::relaxed) == nullptr ? nullptr : pop(of);
  }
  std::size_t chains() const noexcept { return chains_.load(base::relaxed); }
  /// Called by a thread that begins to keep frames.
  void open() noexcept {
    base::lock_guard guard{lock_};
    ++threads_;
  }
  /// Called when such a thread ends. The last one frees all chains.
  void close() noexcept {
    std::array<kept_frame*, classes> left{};
    {
      base::lock_guard guard{lock_};
      if (--threads_ != 0) return;
      for (std::size_t each = 0; each != classes; ++each) {
        left[each] = first_[each].load(base::relaxed);
        first_[each].store(nullptr, base::relaxed);
        held_[each].store(0, base::relaxed);
      }
      chains_.store(0, base::relaxed);
    }
    for (kept_frame* chain : left) {
      while (chain != nullptr) give_back_all(*std::exchange(chain, chain->next_chain));
    }
  }

 private:
  bool is_full() const noexcept { return chains() == most_shared_bytes / chain_bytes; }
  std::size_t held(std::size_t of) const noexcept { return held_[of].load(base::relaxed); }
  std::size_t fullest() const noexcept {
    std::size_t most = 0;
    for (std::size_t each = 1; each != classes; ++each)
      most = held(each) > held(most) ? each : most;
    return most;
  }
  void push(std::size_t of, kept_frame* chain) noexcept FILCH_REQUIRES(lock_) {
    chain->next_chain = first_[of].load(base::relaxed);
    first_[of].store(chain, base::relaxed);
    held_[of].store(held(of) + 1, base::relaxed);
    chains_.store(chains() + 1, base::relaxed);
  }
  kept_frame* pop(std::size_t of) noexcept FILCH_REQUIRES(lock_) {
    kept_frame* const found = first_[of].load(base::relaxed);
    first_[of].store(found->next_chain, base::relaxed);
    held_[of].store(held(of) - 1, base::relaxed);
    chains_.store(chains() - 1, base::relaxed);
    return found;
  }

  base::mutex lock_;
  // Relaxed, all: hints, or under the lock.
  base::atomic<kept_frame*> first_[classes] = {};    ///< Writers: under the lock. Readers: all.
  base::atomic<std::size_t> held_[classes] = {};     ///< The same. Chains of each class.
  base::atomic<std::size_t> chains_{0};              ///< The same. Their sum.
  std::size_t threads_ FILCH_GUARDED_BY(lock_) = 0;  ///< That keep frames.
};
constinit frame_depot depot;

/// Frees the lists of a thread that ends.
void close_lists(void* own) noexcept {
  const std::unique_ptr<frame_lists> closed{static_cast<frame_lists*>(own)};
  lists = &none_any_more;
  for (std::size_t each = 0; each != classes; ++each) {
    if (closed->first[each] != nullptr) give_back_all(*closed->first[each]);
    if (closed->full[each] != nullptr) give_back_all(*closed->full[each]);
  }
  depot.close();
}

void open_lists() noexcept {
  static const base::thread_pointer own{&close_lists};
  std::unique_ptr<frame_lists> opened{new (std::nothrow) frame_lists};
  if (opened == nullptr || !own.set(opened.get())) return;
  for (std::size_t each = 0; each != classes; ++each) opened->room[each] = length_of_chain(each);
  lists = opened.release();
  depot.open();
}

// The child of fork() has only this thread, and others may have been changing the depot: it gets a
// fresh one. Before the hooks of pools, which may allocate.
[[maybe_unused]] const int hooked = ::pthread_atfork(nullptr, nullptr, [] {
  ::new (&depot) frame_depot;
  if (has_own_lists()) depot.open();
});

/// Whether the thread keeps frames: from its first frame in a pool until it ends.
bool keeps_frames() noexcept {
  // Simulated threads keep none: the host threads would carry them from one run into the next,
  // which would then allocate less.
  if (!FILCH_KEEPS_FRAMES || base::current_simulation() != nullptr) return false;
  if (lists == &none_yet && !sched::is_outside()) open_lists();
  return has_own_lists();
}

/// Makes room in a list that has none. False: neither the thread nor the depot has room.
bool make_room(std::size_t of) noexcept {
  if (!keeps_frames()) return false;
  if (lists->room[of] != 0) return true;  // the thread has just begun to keep frames
  if (lists->full[of] != nullptr && !depot.take(of, lists->full[of])) return false;
  lists->full[of] = std::exchange(lists->first[of], nullptr);
  lists->room[of] = length_of_chain(of);
  return true;
}
/// Gives an empty list a chain. False: there is none.
bool refill(std::size_t of) noexcept {
  if (!keeps_frames()) return false;
  lists->first[of] =
      lists->full[of] != nullptr ? std::exchange(lists->full[of], nullptr) : depot.give(of);
  if (lists->first[of] == nullptr) return false;
  lists->room[of] = 0;
  return true;
}

// The slow paths. Apart, so that the fast ones save no registers.
[[gnu::cold, gnu::noinline]] void release_slowly(void* frame, std::size_t bytes) noexcept {
  if (bytes > largest_kept_frame || !make_room(class_of(bytes))) return give_back(frame);
  release_frame(frame, bytes);
}
[[gnu::cold, gnu::noinline]] void* allocate_slowly(std::size_t bytes) {
  if (bytes > largest_kept_frame) return ::operator new(bytes);
  return refill(class_of(bytes)) ? allocate_frame(bytes) : ::operator new(rounded(bytes));
}

}  // namespace

void* allocate_frame(std::size_t bytes) {
  if (bytes > largest_kept_frame) [[unlikely]]
    return allocate_slowly(bytes);
  frame_lists& mine = *lists;
  const std::size_t of = class_of(bytes);
  if (mine.first[of] == nullptr) [[unlikely]]
    return allocate_slowly(bytes);
  ++mine.room[of];
  return std::exchange(mine.first[of], mine.first[of]->next);
}

void release_frame(void* frame, std::size_t bytes) noexcept {
  frame_lists& mine = *lists;
  const std::size_t of = class_of(bytes);
  if (bytes > largest_kept_frame || mine.room[of] == 0 || base::current_simulation() != nullptr)
      [[unlikely]]
    return release_slowly(frame, bytes);
  --mine.room[of];
  mine.first[of] = ::new (frame) kept_frame{mine.first[of], nullptr};
}

std::size_t kept_frame_bytes() noexcept {
  if (!has_own_lists()) return 0;
  std::size_t kept = 0;
  for (std::size_t each = 0; each != classes; ++each) {
    const std::size_t frames = length_of_chain(each) - lists->room[each] +
                               (lists->full[each] != nullptr ? length_of_chain(each) : 0);
    kept += frames * block_bytes(each);
  }
  return kept;
}

std::size_t shared_frame_bytes() noexcept { return depot.chains() * chain_bytes; }

}  // namespace filch::co
