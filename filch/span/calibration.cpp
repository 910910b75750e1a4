#include <filch/span/calibration.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/sync.hpp>
#include <filch/base/thread.hpp>
#include <filch/fork/join.hpp>
#include <filch/fork/task_group.hpp>
#include <filch/span/strand_analyzer.hpp>
#include <filch/topo/cpu_budget.hpp>
#include <filch/trace/session.hpp>
#include <filch/trace/span_level.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

// If no thief can come: a steal and a return among searching workers of a common machine.
constexpr double usual_steal_ns = 3000;
constexpr double usual_return_ns = 1000;
constexpr double usual_wake_ns = 50'000;

constexpr unsigned batches = 32;
constexpr unsigned joins_a_batch = 1000;

/// While it lives, this thread is not watched: an analysis may be the caller.
struct unwatched {
  unwatched() noexcept : outer{std::exchange(sched::current_observer, nullptr)} {}
  ~unwatched() { sched::current_observer = outer; }
  unwatched(const unwatched&) = delete;
  unwatched& operator=(const unwatched&) = delete;
  sched::strand_observer* const outer;
};

void nothing() noexcept { asm volatile(""); }

/// Other programs can only make a time longer, so the shortest one is the cost.
double shortest(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

/// For times that differ by themselves: a rather short one, as other programs cause the longest.
double lower_quartile(std::vector<double> times) {
  const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

template <class F>
double shortest_of_batches(F&& measure_one) {
  std::vector<double> all;
  for (unsigned i = 0; i != batches; ++i) all.push_back(measure_one());
  return shortest(all);
}

double measure_tick_ns() {
  constexpr std::uint64_t window_ns = 2'000'000;
  const std::uint64_t begin_ns = base::now_ns();
  const std::uint64_t begin = base::ticks();
  std::uint64_t now_ns = begin_ns;
  while (now_ns - begin_ns < window_ns) now_ns = base::now_ns();
  return static_cast<double>(now_ns - begin_ns) / static_cast<double>(base::ticks() - begin);
}

double measure_stamp_ns(double tick_ns) {
  return shortest_of_batches([&] {
    std::uint64_t between = 0;
    for (unsigned i = 0; i != joins_a_batch; ++i) {
      const std::uint64_t begin = base::ticks();
      between += base::ticks() - begin;
    }
    return static_cast<double>(between) * tick_ns / joins_a_batch;
  });
}

void join_nothings() {
  for (unsigned i = 0; i != joins_a_batch; ++i) join(nothing, nothing);
}

/// The time of `f` in ns, with unwatched forks.
template <class F>
double measure_ns(double tick_ns, F&& f) {
  const std::uint64_t begin = base::ticks();
  f();
  return static_cast<double>(base::ticks() - begin) * tick_ns;
}

/// Must run on a pool of one worker, where no thief steals.
double measure_fork_ns(double tick_ns) {
  return shortest_of_batches([&] { return measure_ns(tick_ns, join_nothings) / joins_a_batch; });
}

void spawn_nothings() {
  task_group group;
  for (unsigned i = 0; i != joins_a_batch; ++i) group.run(nothing);
  group.wait();
}

constexpr unsigned calls_a_batch = 256;
constexpr double short_call_ns = 4000;  // the time of a read of a file that is in memory

/// Adds to `overhead` the ticks that calls of `blocking` took beyond what they called. Each call
/// measures its own: the thread that takes the slot may run the other half beside this one.
void call_shortly(unsigned times, std::uint64_t ticks, base::atomic<std::uint64_t>& overhead) {
  if (times > 1) {
    join([=, &overhead] { call_shortly(times / 2, ticks, overhead); },
         [=, &overhead] { call_shortly(times - times / 2, ticks, overhead); });
    return;
  }
  std::uint64_t inside = 0;
  const std::uint64_t begin = base::ticks();
  blocking([ticks, &inside] {
    const std::uint64_t first = base::ticks();
    while ((inside = base::ticks() - first) < ticks) base::cpu_relax();
  });
  overhead.fetch_add(base::ticks() - begin - inside, base::relaxed);  // relaxed: joins order it
}

/// The overhead of a call of `blocking` that does not wait. Must run on a pool of one worker, whose
/// slot another thread then takes for the next job.
double measure_blocking_ns(double tick_ns) {
  const auto ticks = static_cast<std::uint64_t>(short_call_ns / tick_ns);
  constexpr unsigned calls = calls_a_batch / 4;
  // Few and long: the number of calls that find the slot taken differs between batches
  std::vector<double> all;
  for (unsigned i = 0; i != batches / 4; ++i) {
    base::atomic<std::uint64_t> overhead{0};
    call_shortly(calls, ticks, overhead);
    all.push_back(static_cast<double>(overhead.load(base::relaxed)) * tick_ns / calls);
  }
  return shortest(all);
}

template <class F>
analysis::result watch(const analysis::costs& costs, F&& f) {
  strand_analyzer watcher(costs);
  sched::current_stack->pause_forks();
  f();
  return watcher.finish();
}

/// The apparent time of sides that do nothing and of the code around them.
void measure_watching(analysis::costs& costs) {
  std::vector<double> side, around;
  for (unsigned i = 0; i != batches; ++i) {
    for (const analysis::site& each : watch({.tick_ns = costs.tick_ns}, join_nothings).sites) {
      if (each.forks == 0) {
        around.push_back(each.work_ns / joins_a_batch);
      } else {
        side.push_back(each.mean_leaf_ns());
      }
    }
  }
  costs.watched_side_ns = shortest(side);
  costs.watched_join_ns = shortest(around);
}

[[gnu::noinline]] unsigned count_down(unsigned n) {
  if (n < 2) return n;
  const auto [left, right] =
      join([n] { return count_down(n - 1); }, [n] { return count_down(n - 2); });
  return left + right;
}

/// Recursions fork most, and their joins have results and captures, so their cost is subtracted.
/// The difference of other joins is the doubt.
void compare_with_recursion(analysis::costs& costs) {
  constexpr unsigned n = 15;
  constexpr double forks_of_recursion = 986;  // fib(n + 1) - 1
  std::vector<double> real, seen;
  for (unsigned i = 0; i != batches; ++i) {
    real.push_back(measure_ns(costs.tick_ns, [] { count_down(n); }));
    seen.push_back(watch(costs, [] { count_down(n); }).work_ns);
  }
  const double off = (shortest(seen) - shortest(real)) / forks_of_recursion;
  costs.watched_join_ns += off;
  costs.doubt_ns = std::abs(off);
}

/// Forks one job to be stolen; nothing if no thief came. Its owner goes on forking, so that it
/// serves requests.
std::optional<steal_times> measure_steal(double tick_ns) {
  const std::uint64_t patience = 5000 * base::ticks_per_us();
  const std::uint64_t lasts = 5 * base::ticks_per_us();
  /// Writer: the thread that runs the right side. Reader: the left side.
  base::atomic<std::uint64_t> begun{0};
  std::uint64_t over = 0;
  const std::uint64_t forked = base::ticks();
  join(
      [&] {
        while (begun.load(base::relaxed) == 0 && base::ticks() - forked < patience)
          join(nothing, nothing);
      },
      [&] {
        begun.store(base::ticks(), base::relaxed);
        while (base::ticks() - begun.load(base::relaxed) < lasts) base::cpu_relax();
        over = base::ticks();
      });
  const std::uint64_t returned = base::ticks();
  const std::uint64_t took = begun.load(base::relaxed) - forked;
  if (took >= patience) return {};  // its owner has run it, in the end
  return steal_times{static_cast<double>(took) * tick_ns,
                     static_cast<double>(returned - over) * tick_ns};
}

/// Up to `most` tries, as many as fit into 15 ms.
template <class F>
std::vector<std::optional<steal_times>> tries_of(unsigned most, F&& try_one) {
  constexpr std::uint64_t enough_ns = 15'000'000;
  std::vector<std::optional<steal_times>> tries;
  const std::uint64_t begin_ns = base::now_ns();
  do tries.push_back(try_one());
  while (tries.size() < most && base::now_ns() - begin_ns < enough_ns);
  return tries;
}

void measure_steals(analysis::costs& costs) {
  constexpr auto long_enough_to_fall_asleep = std::chrono::milliseconds(1);
  thread_pool pool(pool_options{.workers = 2});
  pool.warm_up();
  const auto of_sleepers = tries_of(7, [&] {
    base::nap_thread(long_enough_to_fall_asleep);
    return pool.run([&] { return measure_steal(costs.tick_ns); });
  });
  costs.wake_ns = typical(of_sleepers, {usual_wake_ns, usual_return_ns}).steal_ns;
  const steal_times awake =
      typical(pool.run([&] { return tries_of(101, [&] { return measure_steal(costs.tick_ns); }); }),
              {usual_steal_ns, usual_return_ns});
  costs.steal_ns = awake.steal_ns;
  costs.return_ns = awake.return_ns;
}

}  // namespace

steal_times typical(const std::vector<std::optional<steal_times>>& tries,
                    const steal_times& usual) {
  std::vector<double> there, back;
  for (const std::optional<steal_times>& each : tries) {
    if (!each) continue;
    there.push_back(each->steal_ns);
    back.push_back(each->return_ns);
  }
  if (there.empty()) return usual;
  return {lower_quartile(std::move(there)), lower_quartile(std::move(back))};
}

analysis::costs measure_costs() {
  const unwatched here;
  analysis::costs costs{.tick_ns = measure_tick_ns(),
                        .steal_ns = usual_steal_ns,
                        .return_ns = usual_return_ns,
                        .wake_ns = usual_wake_ns};
  costs.stamp_ns = measure_stamp_ns(costs.tick_ns);
  thread_pool alone(pool_options{.workers = 1});
  alone.run([&] {
    costs.fork_ns = measure_fork_ns(costs.tick_ns);
    costs.spawn_ns = shortest_of_batches(
        [&] { return measure_ns(costs.tick_ns, spawn_nothings) / joins_a_batch; });
    costs.blocking_ns = measure_blocking_ns(costs.tick_ns);
    measure_watching(costs);
    compare_with_recursion(costs);
  });
  if (topo::read_budget().workers > 1) measure_steals(costs);
  return costs;
}

}  // namespace filch::span

namespace filch::inline v0_2::trace {

// Both functions measure in a pool. The first pool of a process begins the session that the
// environment asks for, which may call these functions. So the session begins first.
std::uint64_t unstolen_fork_ps() {
  begin_as_environment_says();
  static const std::uint64_t once = [] {
    const span::unwatched here;
    const double tick_ns = span::measure_tick_ns();
    thread_pool alone(pool_options{.workers = 1});
    return static_cast<std::uint64_t>(
        std::llround(1000 * alone.run([&] { return span::measure_fork_ns(tick_ns); })));
  }();
  return once;
}

}  // namespace filch::trace

namespace filch::inline v0_2::analysis {

const costs& measured_costs() {
  trace::begin_as_environment_says();
  static const costs once = span::measure_costs();
  return once;
}

}  // namespace filch::analysis
