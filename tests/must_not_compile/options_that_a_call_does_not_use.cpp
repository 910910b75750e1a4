// expected: filch: with\(\.\.\.\) holds an option that this call does not use
// Each row with REFUSED is refused in that sentence alone. The pairs of a call and options differ,
// as the compiler says the same only once.
#include <filch/filch.hpp>

#include <vector>

#ifdef ACCEPTED
#define REFUSED(...)
#else
#define REFUSED(...) __VA_ARGS__
#endif

filch::task<> nothing() { co_return; }

filch::task<> move(filch::thread_pool& pool) {
  using filch::with, filch::co::schedule_on;
  const std::stop_token token;
  co_await schedule_on(with(pool));
  REFUSED(co_await schedule_on(with(pool, filch::priority::high)));
  REFUSED(co_await schedule_on(with(pool, token)));
}

void call(filch::thread_pool& pool, std::vector<int>& data) {
  using filch::priority, filch::spawn, filch::block_on, filch::with;
  const std::stop_token token;
  const filch::grain_items grain{1};

  spawn(with(pool, priority::high), nothing());
  REFUSED(spawn(with(token), nothing()));
  REFUSED(spawn(with(pool, priority::high, token), nothing()));
  REFUSED(spawn(with(grain), nothing()));

  block_on(with(pool), nothing());
  REFUSED(block_on(with(priority::high), nothing()));
  REFUSED(block_on(with(grain, pool), nothing()));

  filch::co::scope nursery{with(pool, token)};
  REFUSED(filch::co::scope urgent{with(priority::high)});
  REFUSED(filch::co::scope divided{with(grain)});
  nursery.spawn(with(pool, priority::high), nothing());
  REFUSED(nursery.spawn(with(priority::high, token), nothing()));

  filch::task_group group{with(pool)};
  REFUSED(filch::task_group cancelled{with(token)});
  filch::worker_local<int> counts{with(pool)};
  REFUSED(filch::worker_local<int> urgent_counts{with(priority::high, token)});

  filch::sort(with(pool, token, grain), data);
  REFUSED(filch::sort(with(priority::high), data));
  REFUSED(filch::parallel_for(with(pool, priority::high), 0, 1, [](int) {}));
  REFUSED(filch::sort(with(priority::high, token, grain), data));
}
