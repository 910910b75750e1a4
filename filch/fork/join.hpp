#pragma once
#include <filch/fork/outcome.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/worker/recorded_job.hpp>
#include <filch/sched/worker/slow_fork.hpp>
#include <filch/sched/strands.hpp>

#include <concepts>
#include <new>
#include <optional>
#include <tuple>

namespace filch::inline v0_2 {
namespace fork {

/// A side that may be copied without the caller noticing: small, trivial, and passed as a temporary
/// or moved, so that the caller does not look at it afterwards. `F` is as deduced for a forwarding
/// reference.
template <class F>
inline constexpr bool is_copied =
    std::is_trivially_copyable_v<F>&& std::is_copy_constructible_v<F> &&
    sizeof(F) <= 8 * sizeof(void*);
template <class F>
inline constexpr bool is_copied<F&> = false;

/// How a side is passed to a call out of line: as a copy, if that is allowed. An object that such a
/// call gets to see would live in memory on the hot path too.
template <class F>
using apart = std::conditional_t<is_copied<F>, F, std::remove_reference_t<F>&>;

/// A side that is compiled once for many call sites, and names the function by which its call site
/// is known. That function calls `run_elsewhere`.
template <class F>
concept knows_its_site =
    std::same_as<decltype(std::declval<const F&>().known_by()), void (*)(void*)>;

/// The right side of a join while it may be stolen. It holds the closure, or where that is; then
/// its outcome on a thief, or the left side's exception. All share their room, because deep
/// recursions keep one of these per level.
template <class F>
class forked {
 public:
  using body_type = std::remove_reference_t<F>;
  explicit forked(body_type& body) noexcept {
    if constexpr (is_copied<F>) {
      ::new (static_cast<void*>(&body_)) body_type(body);
    } else {
      body_ = &body;
    }
  }
  ~forked() {}
  forked(const forked&) = delete;
  forked& operator=(const forked&) = delete;

  queue::job job() noexcept {
    if constexpr (knows_its_site<body_type>) {
      return {body().known_by(), this};
    } else {
      return {[](void* self) { static_cast<forked*>(self)->run_elsewhere(); }, this};
    }
  }
  /// Returns the right side whose job lies at `at`. Reading the entry instead of the frame saves
  /// the hot path a register.
  static forked& behind(const queue::fork_entry* at) noexcept {
    return *static_cast<forked*>(at->environment.read());
  }
  result_of<body_type&> take() { return elsewhere_.take(); }
  void drop() noexcept { elsewhere_.drop(); }
  /// Stores the left side's exception. Call in its handler, after `drop`.
  void keep_failure() noexcept {
    (::new (static_cast<void*>(&failure_)) outcome<std::monostate>)->capture_handled();
  }
  /// Throws the stored exception, outside of the handler. If an `R` can be made for free, this call
  /// seems to return one: clang keeps the frame out of a function's early returns only if every
  /// path, even that of an exception, ends in the same place.
  template <class R>
  [[gnu::cold, gnu::noinline]] R rethrow() {
    failure_.take();
    if constexpr (std::is_nothrow_default_constructible_v<R>) {
      return R();
    } else {
      std::terminate();
    }
  }
  void run_elsewhere() noexcept {
    if constexpr (is_copied<F>) {
      run(body_type(body_));
    } else {
      run(*body_);
    }
  }
  /// The closure, until it is run elsewhere.
  body_type& body() noexcept {
    if constexpr (is_copied<F>) {
      return body_;
    } else {
      return *body_;
    }
  }

 private:
  template <class G>
  void run(G&& body) noexcept {
    (::new (static_cast<void*>(&elsewhere_)) outcome<result_of<body_type&>>)->capture(body);
  }
  union {
    std::conditional_t<is_copied<F>, body_type, body_type*> body_;
    outcome<result_of<body_type&>> elsewhere_;
    outcome<std::monostate> failure_;
  };
};

/// Ends the right side in the handler of the left side's exception. It does not begin, unless a
/// thief has begun it; then its outcome is dropped.
template <class F>
[[gnu::cold, gnu::noinline]] void finish_failed(queue::fork_stack& stack,
                                                queue::fork_entry* at) noexcept {
  auto& right = forked<F>::behind(at);
  const bool is_here = stack.pop_private(at) || stack.is_private(at) ||
                       sched::join_slowly(at) == queue::pop_outcome::popped;
  if (!is_here) right.drop();
  right.keep_failure();
  at->environment.write(&right);  // another job may have used the entry meanwhile
}

/// Runs both sides as plain calls. For a full fork stack, and if `watched` is not null: it is told
/// of both sides, even if the left one throws.
template <class A, class B>
[[gnu::cold, gnu::noinline]] auto join_serially(A& a, B& b, sched::strand_observer* watched)
    -> std::tuple<result_of<A&>, result_of<B&>> {
  struct telling {
    sched::strand_observer* watched;
    bool is_right = false;
    void begin_right() noexcept {
      if (watched != nullptr && !std::exchange(is_right, true)) watched->begin_right();
    }
    ~telling() {
      begin_right();
      if (watched != nullptr) watched->end_job();
    }
  } tell{watched};
  result_of<A&> first = call(a);
  tell.begin_right();
  return {std::move(first), call(b)};
}

/// The right side if `pop_private` returned false. Returns its outcome from the thief, or runs it
/// here and reports it if requested. Not cold: if every job is recorded, it is called for every
/// fork.
template <class F>
[[gnu::noinline]] auto finish_slowly(queue::fork_stack& stack, queue::fork_entry* at)
    -> result_of<std::remove_reference_t<F>&> {
  auto& right = forked<F>::behind(at);
  if (!stack.is_private(at) && sched::join_slowly(at) == queue::pop_outcome::stolen)
    return right.take();
  const sched::recorded_job here{stack, right.job()};
  return call(right.body());
}

/// Runs the left side. An exception is thrown again when the right side is over.
template <class A, class B>
[[gnu::always_inline]] inline auto run_left(queue::fork_stack& stack, queue::fork_entry* at,
                                            std::remove_reference_t<A>& a) -> result_of<A&> {
  FILCH_TRY { return call(a); }
  FILCH_CATCH_ALL { finish_failed<B>(stack, at); }
  return forked<B>::behind(at).template rethrow<result_of<A&>>();
}

/// Runs the left side, and the right one unless a thief has it, for a job pushed at `at`.
template <class A, class B>
[[gnu::always_inline]] inline auto finish_join(queue::fork_stack& stack, queue::fork_entry* at,
                                               std::remove_reference_t<A>& a, forked<B>& right)
    -> std::tuple<result_of<A&>, result_of<B&>> {
  auto first = run_left<A, B>(stack, at, a);
  if (stack.pop_private(at)) [[likely]]
    return {std::move(first),
            call(right.body())};  // from there, so that no register keeps it meanwhile
  return {std::move(first), finish_slowly<B>(stack, at)};
}

template <class A, class B>
[[gnu::always_inline]] inline auto join_two(std::remove_reference_t<A>& a,
                                            std::remove_reference_t<B>& b)
    -> std::tuple<result_of<A&>, result_of<B&>>;

/// Does the whole join if its fork must pause: a thief has asked, the stack is full, or the thread
/// is in no pool.
template <class A, class B>
[[gnu::cold, gnu::noinline]] auto join_paused(apart<A> a, apart<B> b)
    -> std::tuple<result_of<A&>, result_of<B&>> {
  queue::fork_stack& stack = *sched::current_stack;
  queue::fork_entry* const at = stack.bottom();
  forked<B> right{b};
  switch (sched::fork_slowly(right.job())) {
    case sched::fork_outcome::forked: return finish_join<A, B>(stack, at, a, right);
    case sched::fork_outcome::full: return join_serially(a, right.body(), nullptr);
    case sched::fork_outcome::watched: {
      sched::strand_observer* const watcher = sched::current_observer;
      watcher->fork(__builtin_bit_cast(const void*, right.job().run));
      return join_serially(a, right.body(), watcher);
    }
    case sched::fork_outcome::outside: break;
  }
  return sched::lasting_pool_here().run([&] { return join_paused<A, B>(a, right.body()); });
}

// Nothing of the hot path is needed after a call out of line. So the compiler keeps no register for
// it, and a caller's leaves stay free of it. The cold results are taken apart and put together
// again: a tuple whose address a call has seen would live in memory on the hot path as well.
template <class A, class B>
inline auto join_two(std::remove_reference_t<A>& a, std::remove_reference_t<B>& b)
    -> std::tuple<result_of<A&>, result_of<B&>> {
  queue::fork_stack& stack = *sched::current_stack;
  queue::fork_entry* const at = stack.bottom();
  if (stack.must_pause(at)) [[unlikely]] {
    auto both = join_paused<A, B>(a, b);
    return {std::get<0>(std::move(both)), std::get<1>(std::move(both))};
  }
  forked<B> right{b};
  stack.push(at, right.job());
  return finish_join<A, B>(stack, at, a, right);
}

}  // namespace fork

/// Runs `left` and `right`, possibly in parallel, and returns both results in a tuple, with
/// `std::monostate` for void.
///
/// Cost: unstolen, about 2 ns: four stores and two compares, no locked instruction. Work W_l + W_r,
/// span max + O(1).
/// Blocks: may park the thread while a thief finishes `right`. Meanwhile it runs only descendants
/// of `right`, so a lock may be held.
/// Threads: any; a thread outside every pool takes a slot of `default_pool` for the call. `left`
/// runs on the calling thread, and so does `right` unless it is stolen; the call returns there.
/// Throws: what the closures throw. If `left` throws, `right` does not begin. If a thief has
/// already begun it, it runs to its end, and its exception is dropped. What no `std::exception_ptr`
/// can hold (`pthread_exit`, cancellation, an exception of another language) ends the process in
/// `left`, and in `right` if it is stolen.
/// Lifetime: the closures need to live only as long as the call. A small trivially copyable closure
/// that is a temporary or moved may be copied; one passed by name is called itself.
/// Source: Blumofe and Leiserson, JACM 1999. We differ: `right` stays private to its owner until a
/// thief asks (queue/README.md).
/// Example: examples/quicksort.cpp
template <class Left, class Right>
[[gnu::always_inline]] inline auto join(Left&& left, Right&& right) {
  if constexpr (sched::check_jobs<Left&, Right&>()) return fork::join_two<Left, Right>(left, right);
}

namespace fork {

/// Scalars do not lie side by side: clang would read two of them as one vector, which is available
/// only when both stores have left the pipeline.
template <class R>
inline constexpr std::size_t result_alignment = std::is_scalar_v<R> && sizeof(R) <= sizeof(void*)
                                                    ? 2 * sizeof(R)
                                                    : alignof(R);

/// Room for one result. A trivial result needs no flag that says it exists, with which clang would
/// run at half the speed. It is not cleared either.
template <class R>
class alignas(result_alignment<R>) result_slot {
 public:
  result_slot() noexcept {}
  void put(R&& result) { kept_ = std::move(result); }
  R& get() noexcept { return kept_; }

 private:
  R kept_;
};
template <class R>
requires(!std::is_trivially_default_constructible_v<R> || !std::is_trivially_copyable_v<R> ||
         !std::is_move_assignable_v<R>) class result_slot<R> {
 public:
  void put(R&& result) { kept_.emplace(std::move(result)); }
  R& get() noexcept { return *kept_; }

 private:
  std::optional<R> kept_;
};

/// The sides of a join of more than two and room for their results. Each fork holds only a pointer
/// to this.
template <class... Sides>
struct joined {
  std::tuple<apart<Sides>...> sides;
  std::tuple<result_slot<result_of<std::remove_reference_t<Sides>&>>...> results{};

  template <std::size_t I>
  [[gnu::always_inline]] void run() {
    std::get<I>(results).put(call(std::get<I>(sides)));
  }
  /// Joins side number `I` with all after it. Inlined down to the last: nothing of one fork is
  /// needed once the next is made. So the owner's part of the whole join is one piece of code with
  /// one frame.
  template <std::size_t I>
  [[gnu::always_inline]] void run_from() {
    if constexpr (I + 1 == sizeof...(Sides)) {
      run<I>();
    } else {
      auto first = [this] { run<I>(); };
      auto rest = [this]() __attribute__((always_inline)) { run_from<I + 1>(); };
      join_two<decltype(first), decltype(rest)>(first, rest);
    }
  }
};

}  // namespace fork

/// Runs all sides, possibly in parallel: nested joins of two, the first side against the rest.
template <class First, class Second, class Third, class... More>
auto join(First&& first, Second&& second, Third&& third, More&&... more) {
  if constexpr (sched::check_jobs<First&, Second&, Third&, More&...>()) {
    fork::joined<First, Second, Third, More...> all{{first, second, third, more...}};
    all.template run_from<0>();
    using results = std::tuple<fork::result_of<First&>, fork::result_of<Second&>,
                               fork::result_of<Third&>, fork::result_of<More&>...>;
    return std::apply([](auto&... result) { return results(std::move(result.get())...); },
                      all.results);
  }
}

}  // namespace filch
