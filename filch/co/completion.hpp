#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <coroutine>
#include <cstdint>

namespace filch::co {

class promise_base;

/// Whoever is to be told that a task is finished. One for each task.
struct waiter {
  /// The task is finished, and its frame is the waiter's to use and destroy. Returns who is to run
  /// next here, or null. May end the waiter.
  std::coroutine_handle<> (*notify)(waiter& self, promise_base& finished) noexcept;
};

/// Where a task that ends meets the one who waits for it, or who no longer does: the second to come
/// goes on from there.
///
/// Two steps: `finish` by the task, once, and `leave` by the holder of its handle, once unless it
/// takes back what it has left. One that stays for good, who comes first, spares the task its
/// read-modify-write: nobody else changes the word any more. A template, so that the model checkers
/// read the text that ships.
template <class Sync, class Waiter>
class basic_completion {
 public:
  basic_completion() noexcept = default;

  /// The task's last word. Returns the waiter, if it has come already. If not, nothing of the frame
  /// may be touched any more.
  Waiter* finish() noexcept {
    if (const std::uintptr_t seen = state_.load(base::acquire<edge::await>);
        (seen & for_good) != 0) {
      state_.store(finished, base::relaxed);  // relaxed: who is told sees it
      return waiter_in(seen);
    }
    const std::uintptr_t found = state_.exchange(finished, base::release<edge::complete>);
    if (found == nobody) return nullptr;
    // Its own word, which stands in the waiter's release sequence
    state_.load(base::acquire<edge::await>);
    return waiter_in(found);
  }
  /// Leaves `waiter`. Returns false when the task is finished: nobody will be told, and the frame
  /// is the caller's.
  bool leave(Waiter& waiter) noexcept { return leave_word(word_of(waiter)); }
  /// The same, never to take it back.
  bool leave_for_good(Waiter& waiter) noexcept { return leave_word(word_of(waiter) | for_good); }
  /// The same, before anybody else knows of the task.
  void begin_with(Waiter& waiter) noexcept {
    // Relaxed: the task begins by an edge of a queue
    state_.store(word_of(waiter) | for_good, base::relaxed);
  }
  /// Who has been left for good, and was so before anybody else knew of the task.
  // Relaxed: came with the task
  Waiter& stays() const noexcept { return *waiter_in(state_.load(base::relaxed)); }
  /// Takes `left` back, which was left here. Returns false when the task has found it: `left` is
  /// told that, or has been.
  bool take_back(Waiter& left) noexcept {
    std::uintptr_t found = word_of(left);
    // Relaxed: who leaves the next one releases
    return state_.compare_exchange(found, nobody, base::relaxed);
  }
  bool is_finished() const noexcept {
    return state_.load(base::acquire<edge::complete>) == finished;
  }

 private:
  // Else the waiter's address, and whether it stays
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

  /// Writers: the task, the holder of its handle. Once both know of it, by RMW, but for the task
  /// where a waiter stays.
  typename Sync::template atomic<std::uintptr_t> state_{nobody};
};

using completion = basic_completion<base::real_sync, waiter>;

}  // namespace filch::co
