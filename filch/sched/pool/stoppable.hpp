#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/stop_token.hpp>

#include <array>
#include <utility>

namespace filch::inline v0_2::sched {

struct stop_links {
  stop_links* previous = this;
  stop_links* next = this;

  void insert_before(stop_links& other) noexcept {
    previous = std::exchange(other.previous, this);
    next = &other;
    previous->next = this;
  }
  void unlink() noexcept {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
};

/// A part of a pool's detached work that can be asked to stop while it runs or waits, and that has
/// a name: `thread_pool::stop` asks it, and names it if it has not ended by then. A task lists
/// itself when it first waits or looks for its stop token; one that does neither costs nothing and
/// cannot be asked. `work` is counted once, however many parts of it are listed.
class stoppable : stop_links {
 public:
  stoppable(std::stop_source asks, const void* work, const char* name) noexcept
      : asks_{std::move(asks)}, work_{work}, name_{name} {}
  stoppable(const stoppable&) = delete;
  stoppable& operator=(const stoppable&) = delete;

 private:
  const std::stop_source asks_;
  const void* const work_;
  const char* const name_;
  struct stoppable_shelf* shelf_ = nullptr;  ///< Writer: `stoppables::add`.
  friend class stoppables;
};

struct alignas(base::cache_line_bytes) stoppable_shelf {
  base::mutex lock;
  stop_links unasked FILCH_GUARDED_BY(lock);
  stop_links asked FILCH_GUARDED_BY(lock);
  bool is_closing FILCH_GUARDED_BY(lock) = false;  ///< What is listed from now on is asked at once.
};

/// All of a pool. On several shelves, as many workers add and remove at the same time.
class stoppables {
 public:
  /// `one` can be asked and named from now on, until it is removed. `shelf_hint`: a number that
  /// differs between threads.
  /// Cost: an uncontended lock; if the pool asks all to stop, also the stop callbacks of `one`.
  void add(stoppable& one, unsigned shelf_hint) noexcept;
  /// Touches nothing of the pool but the shelf.
  static void remove(stoppable& one) noexcept;
  /// Asks each once, also those to come, so that none is missed. Stop callbacks run on this thread,
  /// under no lock of the pool.
  void ask_all() noexcept;
  /// Calls `see(work, name)` for each part that is listed, under a lock.
  template <class F>
  void for_each(F see) {
    for (stoppable_shelf& shelf : shelves_) {
      base::lock_guard guard{shelf.lock};
      for (stop_links* list : {&shelf.unasked, &shelf.asked}) {
        for (stop_links* each = list->next; each != list; each = each->next) {
          const stoppable& one = static_cast<const stoppable&>(*each);
          see(one.work_, one.name_);
        }
      }
    }
  }

 private:
  static bool ask_one(stoppable_shelf& shelf) noexcept;
  std::array<stoppable_shelf, 8> shelves_;
};

}  // namespace filch::sched
