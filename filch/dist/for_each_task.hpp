#pragma once
#include <filch/dist/bag.hpp>
#include <filch/dist/bag_run.hpp>
#include <filch/dist/communicator.hpp>
#include <filch/dist/options.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace filch::inline v0_2::dist {

namespace detail {

template <class B, class M>
typename M::result run_bag(communicator& ranks, B begins, M meets, const run_options& options) {
  const std::string what = std::string{typeid(B).name()} + ' ' + typeid(M).name() + ' ' +
                           std::to_string(options.grain) + ' ' + options.parameters;
  run_start start = ranks.next_run(what, options);
  const auto run =
      std::make_shared<bag_run<B, M>>(ranks.wires(), ranks.pool(), start.how, std::move(begins),
                                      std::move(meets), ranks.pool().concurrency());
  if (start.is_restored) run->forget_tasks();
  for (const checkpoint_part& each : start.parts) run->restore(each);
  try {
    run->run(ranks.source());
  } catch (...) {
    ranks.failed();
    throw;
  }
  ranks.ended(run->report());
  return std::move(run->total());
}

/// A stack of tasks and the function that runs one.
template <class T, class F>
class expanding_bag {
 public:
  expanding_bag() = default;
  expanding_bag(const F& expand, std::size_t grain) : expand_{&expand}, grain_{grain} {}

  template <class R>
  std::size_t process(std::size_t most, R& result) {
    const auto push = [this](T task) { tasks_.push(std::move(task)); };
    std::size_t done = 0;
    for (; done < most && tasks_.size() > 0; ++done)
      std::invoke(*expand_, tasks_.pop(), push, result);
    return done;
  }
  std::optional<expanding_bag> split() {
    std::optional<task_stack<T>> share = tasks_.split(grain_);
    if (!share) return std::nullopt;
    expanding_bag made = without_tasks();
    made.tasks_ = std::move(*share);
    return made;
  }
  void merge(expanding_bag&& other) { tasks_.merge(std::move(other.tasks_)); }
  void push(T task) { tasks_.push(std::move(task)); }
  std::size_t size() const noexcept { return tasks_.size(); }
  template <class A>
  void serialize(A& archive) {
    archive& tasks_;
  }
  expanding_bag without_tasks() const { return {*expand_, grain_}; }

 private:
  task_stack<T> tasks_;
  const F* expand_ = nullptr;
  std::size_t grain_ = 1;
};

}  // namespace detail

/// Runs a bag on all ranks, and returns the combined result on all. Each rank gives a bag to begin
/// with, which may be empty. Called by all ranks.
///
/// Cost:    two messages a steal; ranks x log(ranks) messages to spread and to end. A rank looks at
///          its messages every 50 to 200 us, so tasks of less than 1 us do well in `process`.
/// Blocks:  until all ranks have the result. Workers of `ranks.pool()` run the bags, several at
///          once if a bag can be split.
/// Threads: one run at a time. Bags and results are used by one thread at a time.
/// Throws:  on all ranks: `ranks_differ`; `run_failed` if a task, `split`, `merge` or the archive
///          threw anywhere; the rank where it happened gets that exception instead.
/// Lifetime: what the bags refer to outlives the call.
/// Source:  Saraswat et al., PPoPP 2011. We differ: results meet in a monoid and are never awaited
///          by other ranks.
/// Example: examples/dist_tasks.cpp
template <class B, class R, class Combine>
requires bag_of<B, R> R run(communicator& ranks, B begins, monoid<R, Combine> meets,
                            const run_options& options = {}) {
  return detail::run_bag(ranks, std::move(begins), std::move(meets), options);
}

/// Calls `expand(task, push, result)` for each of `roots` and for each task that a call pushes by
/// `push(child)`, on all ranks, and returns the combined results on all ranks. The roots of rank 0
/// count, those of other ranks are ignored. Called by all ranks.
///
///     auto nodes = dist::for_each_task(
///         ranks, std::vector{root}, [](const node& at, auto& push, std::uint64_t& count) { ... },
///         dist::monoid{std::uint64_t{0}, std::plus<>{}});
///
/// A call may use all of filch. Its order of others is not known. If a checkpoint is restored,
/// calls after it happen again, so they must not change anything outside.
/// Cost:    as `run`; a task costs some 5 ns beside the call.
/// Blocks:  as `run`.
/// Threads: `expand` is called by several threads at once.
/// Throws:  as `run`.
/// Example: examples/dist_tasks.cpp
template <class T, class F, class R, class Combine>
R for_each_task(communicator& ranks, std::vector<T> roots, const F& expand,
                monoid<R, Combine> meets, const run_options& options = {}) {
  detail::expanding_bag<T, F> begins{expand, options.grain};
  if (ranks.rank() == 0)
    for (T& each : roots) begins.push(std::move(each));
  return run(ranks, std::move(begins), std::move(meets), options);
}

}  // namespace filch::dist
