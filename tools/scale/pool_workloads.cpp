// What comes from outside of the pool, and what the pool does when there is little.
#include <bench/tree_sum/filch.hpp>
#include <filch/filch.hpp>
#include <filch/testing.hpp>
#include <tools/scale/rounds.hpp>
#include <tools/scale/stopwatch.hpp>
#include <tools/scale/workload.hpp>

#include <deque>
#include <memory>
#include <numeric>

namespace filch::scaling {

namespace {

using namespace std::chrono_literals;

constexpr unsigned rounds_of_a_microsecond = rounds_of_ns(1000);

/// Counts jobs that end, without a line that all workers write.
class per_worker_counts {
 public:
  explicit per_worker_counts(const thread_pool& pool) : counts_(pool.worker_capacity()) {}
  void add_one() noexcept { counts_[worker_index()].value.fetch_add(1, base::relaxed); }
  std::uint64_t sum() const noexcept {
    return std::accumulate(
        counts_.begin(), counts_.end(), std::uint64_t{0},
        [](std::uint64_t sum, const count& each) { return sum + each.value.load(base::relaxed); });
  }

 private:
  struct alignas(128) count {
    base::atomic<std::uint64_t> value{0};  ///< Writer: the worker with this index.
  };
  std::deque<count> counts_;
};

void submit_from_outside(std::uint64_t jobs, unsigned threads) {
  thread_pool& pool = default_pool();
  per_worker_counts ended{pool};
  {
    std::deque<testing::thread> senders;
    for (unsigned t = 0; t < threads; ++t) {
      const std::uint64_t share = jobs * (t + 1) / threads - jobs * t / threads;
      senders.emplace_back("sender", [&pool, &ended, share] {
        for (std::uint64_t i = 0; i < share; ++i) {
          pool.submit([&ended, i] {
            use(rounds(i, rounds_of_a_microsecond));
            ended.add_one();
          });
        }
      });
    }
  }
  while (ended.sum() != jobs) base::yield_thread();
}

/// What the workers do when a small piece of work comes.
enum class workers { sleep, search, are_busy };

constexpr unsigned small_pieces = 20;
constexpr auto until_all_sleep = 5ms;
constexpr unsigned rounds_elsewhere = rounds_of_ns(50'000);

/// Runs `piece` once while the workers do `what`.
void run_piece(workers what, stopwatch& watch, const std::function<void()>& piece) {
  if (what != workers::are_busy) {
    if (what == workers::sleep) testing::nap(until_all_sleep);
    return watch.time(piece);
  }
  task_group elsewhere;
  for (unsigned i = 1; i < default_pool().concurrency(); ++i)
    elsewhere.run([i] { use(rounds(i, rounds_elsewhere)); });
  testing::nap(20us);
  watch.time(piece);
  elsewhere.wait();
}

prepared small_work(workers what, std::function<void()> piece, std::function<std::string()> check,
                    std::function<void()> serial) {
  const auto watch = std::make_shared<stopwatch>();
  return {.body =
              [=] {
                for (unsigned i = 0; i < small_pieces; ++i) run_piece(what, *watch, piece);
              },
          .check = std::move(check),
          .serial =
              [=] {
                for (unsigned i = 0; i < small_pieces; ++i) serial();
              },
          .reset = [=] { watch->reset(); },
          .timed_ns = [=] { return watch->sum_ns(); }};
}

prepared small_tree(workers what, std::uint64_t nodes) {
  using namespace bench::tree_sum;
  const auto numbers = std::make_shared<tree>(shape::balanced, nodes);
  const auto sum = std::make_shared<std::uint64_t>();
  return small_work(
      what, [=] { *sum = default_pool().run([&] { return on_filch(numbers->root()); }); },
      [=] { return numbers->check(*sum); }, [=] { *sum = serial(numbers->root()); });
}

prepared small_loop(workers what, std::uint64_t items) {
  constexpr unsigned rounds_of_an_item = rounds_of_ns(10);
  const auto item = [](std::uint64_t i) { use(rounds(i, rounds_of_an_item)); };
  return small_work(
      what, [=] { parallel_for(std::uint64_t{0}, items, item); }, [] { return std::string{}; },
      [=] {
        for (std::uint64_t i = 0; i != items; ++i) item(i);
      });
}

/// Jobs of that length in a group, from inside of the pool.
prepared group_of(std::uint64_t jobs, double job_ns) {
  const unsigned length = rounds_of_ns(job_ns);
  const auto job = [length](std::uint64_t i) { use(rounds(i, length)); };
  const auto run_all = [=] {
    task_group group;
    for (std::uint64_t i = 0; i < jobs; ++i) group.run([=] { job(i); });
    group.wait();
  };
  return {.body = [=] { default_pool().run(run_all); },
          .serial =
              [=] {
                for (std::uint64_t i = 0; i < jobs; ++i) job(i);
              }};
}

}  // namespace

template <unsigned Threads>
prepared make_submit(std::uint64_t jobs) {
  return {.body = [=] { submit_from_outside(jobs, Threads); },
          .serial =
              [=] {
                for (std::uint64_t i = 0; i < jobs; ++i) use(rounds(i, rounds_of_a_microsecond));
              }};
}
template prepared make_submit<1>(std::uint64_t);
template prepared make_submit<4>(std::uint64_t);
template prepared make_submit<16>(std::uint64_t);
template prepared make_submit<64>(std::uint64_t);

prepared make_bursts(std::uint64_t count) {
  constexpr std::uint64_t items = 1000;
  const auto watch = std::make_shared<stopwatch>();
  const auto item = [](std::uint64_t i) { use(rounds(i, rounds_of_a_microsecond)); };
  return {.body =
              [=] {
                for (std::uint64_t i = 0; i < count; ++i) {
                  testing::nap(10ms);
                  watch->time([&] { parallel_for(std::uint64_t{0}, items, item); });
                }
              },
          .serial =
              [=] {
                for (std::uint64_t i = 0; i < count * items; ++i) item(i);
              },
          .reset = [=] { watch->reset(); },
          .timed_ns = [=] { return watch->sum_ns(); }};
}

prepared make_few(std::uint64_t jobs) { return group_of(jobs, 1e6); }
prepared make_many(std::uint64_t jobs) { return group_of(jobs, 20e3); }

prepared make_idle(std::uint64_t milliseconds) {
  const auto item = [](std::uint64_t i) { use(rounds(i, rounds_of_a_microsecond)); };
  return {.body = [=] {
    parallel_for(0, 1000, item);
    testing::nap(std::chrono::milliseconds(milliseconds));
  }};
}

prepared make_tree_asleep(std::uint64_t nodes) { return small_tree(workers::sleep, nodes); }
prepared make_tree_searching(std::uint64_t nodes) { return small_tree(workers::search, nodes); }
prepared make_tree_busy(std::uint64_t nodes) { return small_tree(workers::are_busy, nodes); }
prepared make_loop_asleep(std::uint64_t items) { return small_loop(workers::sleep, items); }
prepared make_loop_searching(std::uint64_t items) { return small_loop(workers::search, items); }
prepared make_loop_busy(std::uint64_t items) { return small_loop(workers::are_busy, items); }

}  // namespace filch::scaling
