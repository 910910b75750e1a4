#pragma once
#include <filch/base/sync.hpp>
#include <filch/co/edges.hpp>

#include <coroutine>
#include <cstdint>

namespace filch::co {

class promise_base;

/// Whoever is to be told that a task is finished. One for each task.
struct waiter {
  /// The task is finished, and its frame is the waiter's to use and destroy. Returns who is to run next here, or null. May end
  /// the waiter.
  std::coroutine_handle<> (*notify)(waiter& self, promise_base& finished) noexcept;
};

/// Where a task that ends meets the one who waits for it, or who no longer does: the second to come goes on from there.
///
/// Two steps: `finish` by the task, once, and `leave` by the holder of its handle, once unless it takes back what it has left.
/// A template, so that the model checkers read the text that ships.
template <class Sync, class Waiter>
class basic_completion {
 public:
  basic_completion() noexcept = default;

  /// The task's last word. Returns the waiter, if it has come already. If not, nothing of the frame may be touched any more.
  Waiter* finish() noexcept {
    const std::uintptr_t found = state_.exchange(finished, base::release<edge::complete>);
    if (found == nobody) return nullptr;
    state_.load(base::acquire<edge::await>);  // its own word, which stands in the waiter's release sequence
    return reinterpret_cast<Waiter*>(found);
  }
  /// Leaves `waiter`. Returns false when the task is finished: nobody will be told, and the frame is the caller's.
  bool leave(Waiter& waiter) noexcept {
    std::uintptr_t found = nobody;
    if (state_.compare_exchange(found, reinterpret_cast<std::uintptr_t>(&waiter), base::release<edge::await>)) return true;
    state_.load(base::acquire<edge::complete>);
    return false;
  }
  /// Takes `left` back, which was left here. Returns false when the task has found it: `left` is told that, or has been.
  bool take_back(Waiter& left) noexcept {
    std::uintptr_t found = reinterpret_cast<std::uintptr_t>(&left);
    return state_.compare_exchange(found, nobody, base::relaxed);  // relaxed: who leaves the next one releases
  }
  bool is_finished() const noexcept { return state_.load(base::acquire<edge::complete>) == finished; }

 private:
  enum : std::uintptr_t { nobody = 0, finished = 1 };             // else the address of the waiter
  typename Sync::template atomic<std::uintptr_t> state_{nobody};  ///< Writers: the task, the holder of its handle. Only by RMW.
};

using completion = basic_completion<base::real_sync, waiter>;

}  // namespace filch::co
