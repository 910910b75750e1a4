// Awaitables that are not awaited: each line with FORGOTTEN must be refused. Each line with DROPPED
// drops the result of an await, and must be refused by clang; g++ does not look there.
#include <filch/filch.hpp>

#include <chrono>

#ifdef ACCEPTED
#define FORGOTTEN(...) static_cast<void>(__VA_ARGS__)
#else
#define FORGOTTEN(...) __VA_ARGS__
#endif
#define DROPPED FORGOTTEN

using namespace std::chrono_literals;

filch::task<int> give(int value) { co_return value; }

[[maybe_unused]] filch::task<> forget_tasks(filch::co::scope& scope, filch::thread_pool& pool) {
  FORGOTTEN(give(1));
  FORGOTTEN(when_all(give(1), give(2)));
  FORGOTTEN(when_any(give(1), give(2)));
  FORGOTTEN(filch::co::fork(give(1)));
  FORGOTTEN(filch::co::yield());
  FORGOTTEN(filch::co::schedule_on(pool));
  FORGOTTEN(filch::co::get_stop_token());
  FORGOTTEN(filch::co::blocking([] { return 1; }));
  FORGOTTEN(operator co_await(filch::co::join));
  FORGOTTEN(scope.join());
  FORGOTTEN(filch::with_timeout(give(1), 1ms));
  FORGOTTEN(filch::with_deadline(give(1), filch::co::now()));
  FORGOTTEN(filch::sleep_for(1ms));
  FORGOTTEN(filch::sleep_until(filch::co::now()));
  filch::interval beat{1ms};
  FORGOTTEN(beat.next());
  co_return;
}

[[maybe_unused]] filch::task<> forget_locks(filch::async_mutex& mutex,
                                            filch::async_shared_mutex& shared_mutex,
                                            filch::async_condition& condition) {
  FORGOTTEN(mutex.lock());
  DROPPED(co_await mutex.lock());
  FORGOTTEN(filch::wait(mutex.lock()));
  FORGOTTEN(shared_mutex.lock());
  FORGOTTEN(shared_mutex.lock_shared());
  DROPPED(co_await shared_mutex.lock_shared());
  filch::async_lock held = co_await mutex.lock();
  FORGOTTEN(condition.wait(held));
  FORGOTTEN(filch::with_timeout(mutex.lock(), 1ms));
}

[[maybe_unused]] void forget_meetings(filch::async_semaphore& semaphore, filch::async_event& event,
                                      filch::async_latch& latch, filch::async_barrier& barrier) {
  FORGOTTEN(semaphore.acquire());
  FORGOTTEN(semaphore.try_acquire());
  FORGOTTEN(filch::wait(semaphore.acquire(2)));
  FORGOTTEN(event.wait());
  FORGOTTEN(latch.wait());
  FORGOTTEN(latch.arrive_and_wait());
  FORGOTTEN(barrier.arrive_and_wait());
  FORGOTTEN(filch::select(semaphore.acquire(), event.wait()));
}

[[maybe_unused]] filch::task<> forget_values(filch::channel<int>& channel,
                                             filch::oneshot<int>& oneshot,
                                             filch::broadcast<int>& broadcast) {
  FORGOTTEN(channel.send(1));
  DROPPED(co_await channel.send(1));
  FORGOTTEN(filch::wait(channel.send(1)));
  FORGOTTEN(channel.try_send(1));
  FORGOTTEN(channel.receive());
  FORGOTTEN(oneshot.send(1));
  FORGOTTEN(oneshot.receive());
  FORGOTTEN(broadcast.send(1));
  auto receiver = broadcast.subscribe();
  FORGOTTEN(receiver.receive());
  FORGOTTEN(filch::with_timeout(channel.send(1), 1ms));
  DROPPED(co_await filch::with_timeout(channel.send(1), 1ms));
}
