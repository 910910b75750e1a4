#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/mutex.hpp>
#include <filch/base/stop_token.hpp>

#include <array>
#include <utility>

namespace filch::sched {

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
/// a name: `thread_pool::stop` asks it, and names it if it has not ended by then. `work` is what is
/// counted as one, however many parts of it are listed.
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
  struct stoppable_shelf* shelf_ = nullptr;  ///< Writer: who lists it.
  friend class stoppables;
};

struct alignas(base::cache_line_bytes) stoppable_shelf {
  base::mutex lock;
  stop_links unasked FILCH_GUARDED_BY(lock);
  stop_links asked FILCH_GUARDED_BY(lock);
  bool is_closing FILCH_GUARDED_BY(lock) = false;  ///< Who is listed from now on is asked at once.
};

/// All of a pool. On several shelves, as workers come and go here at the same time.
class stoppables {
 public:
  /// `one` can be asked and named from now on, until it is removed. `shelf_hint`: whatever threads
  /// differ in.
  /// Cost: an uncontended lock. Where the pool asks all to stop, what `one` does when it is asked.
  void add(stoppable& one, unsigned shelf_hint) noexcept;
  /// Touches nothing of the pool but the shelf.
  static void remove(stoppable& one) noexcept;
  /// Asks each once, also those to come. What they do when they are asked is done by this thread.
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
