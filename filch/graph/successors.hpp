#pragma once
// The part of a task that others depend on: what waits for its end, and how many hold it.
#include <filch/base/sync.hpp>
#include <filch/graph/successor_edges.hpp>

#include <cstdint>

namespace filch::inline v0_2::graph {

/// In the list of one task: something that waits for its end.
template <class Sync>
struct basic_successor {
  typename Sync::template plain<basic_successor*> next;
};

/// What waits for the end of a task, until it ends. Any number of threads may add. A template, so
/// that the model checkers read the text that ships.
template <class Sync>
class basic_successors {
 public:
  using successor = basic_successor<Sync>;

  /// Adds `one`, which the task may take at once. Returns false, with nothing done, if the task has
  /// ended: the caller sees what it left.
  bool add(successor& one) noexcept {
    std::uintptr_t found = last_.load(base::relaxed);  // relaxed: the exchange below decides
    while (found != ended) {
      one.next.write(reinterpret_cast<successor*>(found));
      if (last_.compare_exchange(found, reinterpret_cast<std::uintptr_t>(&one),
                                 base::release<successor_edge::add>))
        return true;
    }
    return !has_ended();
  }
  /// Marks the end, once. Returns what was added, linked by `next`, the last first.
  successor* end() noexcept {
    const std::uintptr_t found = last_.exchange(ended, base::release<successor_edge::end>);
    if (found == none) return nullptr;
    // Its own word, which stands in the release sequences of all that were added
    last_.load(base::acquire<successor_edge::add>);
    return reinterpret_cast<successor*>(found);
  }
  bool has_ended() const noexcept {
    return last_.load(base::acquire<successor_edge::end>) == ended;
  }

 private:
  // Any other value is the address of the successor that was added last.
  enum : std::uintptr_t { none = 0, ended = 1 };
  /// Writers: the task, once; threads that add. By RMW.
  typename Sync::template atomic<std::uintptr_t> last_{none};
};

/// Counts the holders of a task. The last one frees it. A template, as above.
template <class Sync>
class basic_holders {
 public:
  /// Before another thread knows of it.
  explicit basic_holders(std::uint32_t count) noexcept : count_{count} {}
  /// One more. The caller holds it, or one does for the caller.
  // Relaxed: the count cannot reach zero meanwhile
  void add() noexcept { count_.fetch_add(1, base::relaxed); }
  /// The caller alone holds it, and sees what all others did.
  bool is_only_one() const noexcept {
    return count_.load(base::acquire<successor_edge::last_holder>) == 1;
  }
  /// One less. Returns true to the last one. Cost: a load for the last, else a read-modify-write.
  bool leave() noexcept {
    return is_only_one() || count_.fetch_sub(1, base::acq_rel<successor_edge::last_holder>) == 1;
  }

 private:
  /// Writers: all holders, by RMW.
  typename Sync::template atomic<std::uint32_t> count_;
};

using successors = basic_successors<base::real_sync>;
using holders = basic_holders<base::real_sync>;

}  // namespace filch::graph
