#pragma once
#include <filch/algo/chunks.hpp>
#include <filch/base/atomic.hpp>
#include <filch/base/exceptions.hpp>

#include <iterator>
#include <utility>
#include <vector>

namespace filch::inline v0_2 {

/// Where the body of `for_each_worklist` adds items. Belongs to one call of the body, on its
/// thread.
template <class T>
class feeder {
 public:
  explicit feeder(std::vector<T>& list) noexcept : list_{list} {}
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;

  /// Throws: `std::bad_alloc`.
  void add(T item) { list_.push_back(std::move(item)); }

 private:
  std::vector<T>& list_;
};

namespace algo {

/// A work list that grows while it is worked on.
///
/// A leaf works on the items that it finds at once, so that no part of the list waits for another.
/// Below the deepest level a leaf returns what it finds, and the level above goes on in rounds. So
/// the stack stays bounded for chains of any length.
template <class T, class Body>
class work_list {
 public:
  work_list(const settings& how, Body& body) noexcept : how_{how}, body_{body} {}

  void drain(std::vector<T> list, unsigned level = 0) {
    while (!list.empty() && !has_failed())
      list = list.size() == 1 ? run_items(list, 0, 1) : run_all(list, level);
  }

 private:
  static constexpr unsigned deepest = 32;

  /// Returns what the items from `at` to `end` have added. After a failure they are dropped, since
  /// other bodies may go on adding forever.
  std::vector<T> run_items(std::vector<T>& list, std::uint64_t at, std::uint64_t end) {
    std::vector<T> found;
    feeder<T> more{found};
    or_fail([&] {
      for (; at != end && !has_failed(); ++at) {
        how_.check_stop();
        body_(std::move(list[at]), more);
      }
    });
    return found;
  }

  std::vector<T> run_all(std::vector<T>& list, unsigned level) {
    const auto leaf = [&](std::uint64_t from, std::uint64_t to) {
      std::vector<T> found = run_items(list, from, to);
      if (level < deepest) drain(std::exchange(found, {}), level + 1);
      return found;
    };
    return fold_chunks(how_, list.size(), leaf, [this](std::vector<T> left, std::vector<T> right) {
      if (left.empty()) return right;
      or_fail([&] {
        left.insert(left.end(), std::make_move_iterator(right.begin()),
                    std::make_move_iterator(right.end()));
      });
      return left;
    });
  }

  /// Calls `f`. If it throws, nothing more begins.
  template <class F>
  void or_fail(F&& f) {
    FILCH_TRY { f(); }
    FILCH_CATCH_ALL {
      has_failed_.store(true, base::relaxed);
      FILCH_RETHROW;
    }
  }
  bool has_failed() const noexcept { return has_failed_.load(base::relaxed); }

  /// Relaxed: it does not matter when others notice
  base::atomic<bool> has_failed_{false};
  const settings& how_;
  Body& body_;
};

}  // namespace algo

/// Calls `body(item, feeder<T>&)` for every item of a list and for every item that bodies add,
/// possibly in parallel, in no order. Returns when nothing is left. Items are moved, never copied.
///
/// Cost: work W + O(1) moves and amortized allocations an item; space O(items waiting). Span: down
/// to 32 levels a chain of additions waits only for itself; below, it goes in rounds, each of which
/// ends with its slowest item.
/// Blocks: as `join`: runs only parts of this call.
/// Throws: what a body throws, of several exceptions one. Waiting items are then dropped; each item
/// that has begun has finished or thrown. `std::bad_alloc`, `stopped`.
/// Source: oneTBB's parallel_for_each with a feeder. We differ: bodies add to a list instead of
/// making tasks, so tiny items cost tens of nanoseconds, and the stack does not grow with the
/// length of a chain.
template <class T, class Body>
void for_each_worklist(const algo::settings& how, std::vector<T> list, Body&& body) {
  algo::run_in(how, [&] {
    algo::work_list<T, std::remove_reference_t<Body>>(how, body).drain(std::move(list));
  });
}
template <class T, class Body>
void for_each_worklist(std::vector<T> list, Body&& body) {
  for_each_worklist(algo::settings{}, std::move(list), body);
}

/// As it was called in 0.1.
template <class... Arguments>
[[deprecated("call for_each_worklist")]] void while_each(Arguments&&... arguments) {
  for_each_worklist(std::forward<Arguments>(arguments)...);
}

}  // namespace filch
