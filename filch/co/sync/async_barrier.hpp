#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>

namespace filch::inline v0_2 {

/// A meeting of `parties` tasks, again and again: `co_await b.arrive_and_wait()`, or
/// `filch::wait(b.arrive_and_wait())`. The last task to arrive wakes all, and the next meeting
/// begins.
///
/// Cost: a lock, some 15 ns; for all but the last another one, a suspension and a turn in the ready
/// queue.
/// Throws: an await `co::cancelled`, and then the task has not arrived; the last to arrive never
/// throws it, as it need not wait. `std::bad_alloc` at the first wait of a task.
/// Threads: any. After the meeting each party sees what the others did before they arrived.
/// Lifetime: may be destroyed when all have left their last meeting.
/// Example: examples/sync_primitives.cpp
class async_barrier {
 public:
  explicit async_barrier(std::size_t parties) noexcept : parties_{parties} {
    FILCH_ASSERT(parties > 0, "a meeting is of somebody", parties);
  }
  async_barrier(const async_barrier&) = delete;
  async_barrier& operator=(const async_barrier&) = delete;

  class [[nodiscard]] arriving : public co::sync::waiting<arriving> {
   public:
    explicit arriving(async_barrier& of) noexcept
        : co::sync::waiting<arriving>{of.lock_}, of_{of} {}
    /// The last one need not wait, so it arrives even if it is asked to stop.
    bool try_at_once() noexcept { return arrive(false); }
    bool try_or_list() noexcept { return arrive(true); }
    base::awaited awaited() const noexcept { return {"the others at async_barrier", &of_}; }
    static void result() noexcept {}

   private:
    /// True: it need not wait, as it is the last one or was interrupted. Else lists itself, if
    /// `may_wait`.
    bool arrive(bool may_wait) noexcept {
      co::sync::served_chain all;
      {
        base::lock_guard guard{of_.lock_};
        if (at == state::interrupted) return true;
        if (of_.here_.size() + 1 < of_.parties_) {
          if (may_wait) of_.here_.push_back(*this);
          return false;
        }
        at = state::served;
        all.add_all(of_.here_);
      }
      wake_all(all);
      return true;
    }

    async_barrier& of_;
  };
  /// Arrives when it is awaited, and waits for the others.
  arriving arrive_and_wait() noexcept { return arriving{*this}; }

 private:
  base::mutex lock_;
  const std::size_t parties_;
  /// The waits that have arrived. An interrupted wait takes its arrival back.
  co::sync::wait_list here_ FILCH_GUARDED_BY(lock_);
};

}  // namespace filch
