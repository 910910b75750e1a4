#pragma once
#include <filch/fork/outcome.hpp>
#include <filch/sched/pool.hpp>
#include <filch/sched/slow_fork.hpp>

#include <concepts>
#include <tuple>

namespace filch {
namespace fork {

/// The right side of a join while it may be stolen: where its closure is, and then what came of it elsewhere.
/// Both share their room: deep recursions keep one of these per level.
template <class F>
class forked {
 public:
  explicit forked(F& body) noexcept : body_{&body} {}
  ~forked() {}
  forked(const forked&) = delete;
  forked& operator=(const forked&) = delete;

  queue::job job() noexcept {
    return {[](void* self) { static_cast<forked*>(self)->run_elsewhere(); }, this};
  }
  result_of<F&> take() { return elsewhere_.take(); }
  void drop() noexcept { elsewhere_.drop(); }
  void run_elsewhere() noexcept {
    F& body = *body_;
    std::construct_at(&elsewhere_)->capture(body);
  }

 private:
  union {
    F* body_;
    outcome<result_of<F&>> elsewhere_;
  };
};

/// Finishes the right side after the left one threw: it runs, here or at its thief, and what comes of it is dropped.
template <class F>
[[gnu::cold, gnu::noinline]] void finish_dropping(queue::fork_stack& stack, queue::fork_entry* at, forked<F>& right) noexcept {
  if (stack.pop_private(at) || sched::join_slowly(at) == queue::pop_outcome::popped) {
    right.run_elsewhere();
  }
  right.drop();
}

/// Both sides as plain calls, the right one also after the left one threw. For a full fork stack.
template <class A, class B>
[[gnu::cold, gnu::noinline]] auto join_serially(A& a, B& b) -> std::tuple<result_of<A&>, result_of<B&>> {
  outcome<result_of<A&>> left;
  left.capture(a);
  outcome<result_of<B&>> right;
  right.capture(b);
  struct drop_right {
    outcome<result_of<B&>>* right;
    ~drop_right() {
      if (right != nullptr) right->drop();
    }
  } unless_taken{&right};
  result_of<A&> first = left.take();
  unless_taken.right = nullptr;
  return {std::move(first), right.take()};
}

template <class A, class B>
[[gnu::always_inline]] inline auto join_two(A& a, B& b) -> std::tuple<result_of<A&>, result_of<B&>>;

/// A join on a thread that is in no pool.
template <class A, class B>
[[gnu::cold, gnu::noinline]] auto join_from_outside(A& a, B& b) -> std::tuple<result_of<A&>, result_of<B&>> {
  return pool_here().run([&] { return join_two(a, b); });
}

// The cold results are taken apart and put together again: a tuple whose address a call has seen would live in memory
// on the hot path as well.
template <class A, class B>
inline auto join_two(A& a, B& b) -> std::tuple<result_of<A&>, result_of<B&>> {
  queue::fork_stack& stack = *sched::current_stack;
  queue::fork_entry* const at = stack.bottom();
  forked<B> right{b};
  if (stack.must_pause(at)) [[unlikely]] {
    const sched::fork_outcome outcome = sched::fork_slowly(right.job());
    if (outcome != sched::fork_outcome::forked) {
      auto both = outcome == sched::fork_outcome::full ? join_serially(a, b) : join_from_outside(a, b);
      return {std::get<0>(std::move(both)), std::get<1>(std::move(both))};
    }
  } else {
    stack.push(at, right.job());
  }
  auto first = [&]() -> result_of<A&> {
    FILCH_TRY { return call(a); }
    FILCH_CATCH_ALL {
      finish_dropping(stack, at, right);
      FILCH_RETHROW;
    }
  }();
  if (stack.pop_private(at) || sched::join_slowly(at) == queue::pop_outcome::popped) [[likely]] {
    return {std::move(first), call(b)};
  }
  return {std::move(first), right.take()};
}

}  // namespace fork

/// Runs `left` and `right`, possibly in parallel, and returns both results in a tuple, `std::monostate` for void.
///
/// Cost:     unstolen, about 2 ns: three stores and two compares, no locked instruction. Work W_l + W_r, span max + O(1).
/// Blocks:   may park the thread while a thief finishes `right`; meanwhile runs only descendants of `right`, so a lock may be held.
/// Threads:  any; a thread outside every pool takes a slot of `default_pool` for the call. `left`, and `right` unless stolen,
///           run on the calling thread; the call returns on it.
/// Throws:   what the closures throw; both always run to their end; if both throw, the left one wins.
/// Lifetime: the closures need to live only as long as the call.
/// Source:   Blumofe and Leiserson, JACM 1999. We differ: `right` stays private to its owner until a thief asks (queue/README.md).
/// Example:  examples/quicksort.cpp
template <class Left, class Right>
[[gnu::always_inline]] inline auto join(Left&& left, Right&& right) {
  static_assert(std::invocable<Left&> && std::invocable<Right&>, "filch::join takes callables that can be called without arguments");
  return fork::join_two(left, right);
}

/// Runs all, possibly in parallel; as nested two-way joins, the first against the rest.
template <class First, class Second, class... More>
auto join(First&& first, Second&& second, More&&... more) {
  auto rest = [&] { return join(second, more...); };
  auto [one, others] = fork::join_two(first, rest);
  return std::tuple_cat(std::tuple<decltype(one)>(std::move(one)), std::move(others));
}

}  // namespace filch
