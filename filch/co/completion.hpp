#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <coroutine>
#include <cstdint>

namespace filch::inline v0_2::co {

class promise_base;

/// What is notified when a task is finished. One for each task.
struct waiter {
  /// Called when the task is finished: its frame is the waiter's to use and destroy. Returns the
  /// coroutine to run next on this thread, or null. May end the waiter.
  std::coroutine_handle<> (*notify)(waiter& self, promise_base& finished) noexcept;
};

/// Where the end of a task meets the holder of its handle: whichever comes second goes on.
///
/// Two steps: `finish` by the task, once, and `leave` by the holder, once unless it takes its
/// waiter back. A waiter that comes first and stays for good spares the task its read-modify-write,
/// as no other thread changes the word any more. A template, so that the model checkers read the
/// text that ships.
template <class Sync, class Waiter>
class basic_completion {
 public:
  basic_completion() noexcept = default;

  /// The task's last step. Returns the waiter, if there is one yet. If not, the caller must not
  /// touch the frame any more.
  Waiter* finish() noexcept {
    if (const std::uintptr_t seen = state_.load(base::acquire<edge::await>);
        (seen & for_good) != 0) {
      state_.store(finished, base::relaxed);  // relaxed: `notify` comes after it
      return waiter_in(seen);
    }
    const std::uintptr_t found = state_.exchange(finished, base::release<edge::complete>);
    if (found == nobody) return nullptr;
    // Its own word, which stands in the waiter's release sequence
    state_.load(base::acquire<edge::await>);
    return waiter_in(found);
  }
  /// Leaves `waiter`. Returns false if the task is finished: `waiter` will not be notified, and the
  /// frame is the caller's.
  bool leave(Waiter& waiter) noexcept { return leave_word(word_of(waiter)); }
  /// The same, never to take it back.
  bool leave_for_good(Waiter& waiter) noexcept { return leave_word(word_of(waiter) | for_good); }
  /// The same, before another thread knows of the task.
  void begin_with(Waiter& waiter) noexcept {
    // Relaxed: the task begins by an edge of a queue
    state_.store(word_of(waiter) | for_good, base::relaxed);
  }
  /// The waiter that `begin_with` left.
  // Relaxed: came with the task
  Waiter& stays() const noexcept { return *waiter_in(state_.load(base::relaxed)); }
  /// Takes back the waiter `left`. Returns false if the task has found it: `left` is notified, or
  /// has been.
  bool take_back(Waiter& left) noexcept {
    std::uintptr_t found = word_of(left);
    // Relaxed: leaving the next waiter releases
    return state_.compare_exchange(found, nobody, base::relaxed);
  }
  bool is_finished() const noexcept {
    return state_.load(base::acquire<edge::complete>) == finished;
  }

 private:
  // Any other value is the waiter's address, with `for_good` if it stays.
  enum : std::uintptr_t { nobody = 0, finished = 1, for_good = 2 };

  static std::uintptr_t word_of(const Waiter& waiter) noexcept {
    static_assert(alignof(Waiter) > (finished | for_good), "its address leaves room for both");
    return reinterpret_cast<std::uintptr_t>(&waiter);
  }
  static Waiter* waiter_in(std::uintptr_t word) noexcept {
    return reinterpret_cast<Waiter*>(word & ~std::uintptr_t{for_good});
  }
  bool leave_word(std::uintptr_t word) noexcept {
    std::uintptr_t found = nobody;
    if (state_.compare_exchange(found, word, base::release<edge::await>)) return true;
    state_.load(base::acquire<edge::complete>);
    return false;
  }

  /// Writers: the task, the holder of its handle. Once both know of it, by RMW; the task stores if
  /// a waiter stays.
  typename Sync::template atomic<std::uintptr_t> state_{nobody};
};

using completion = basic_completion<base::real_sync, waiter>;

}  // namespace filch::co
