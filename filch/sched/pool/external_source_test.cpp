// Arrivals reach a worker, whatever the workers are doing, and no thread stays awake for them.
#include <filch/base/sanitized_test.hpp>
#include <filch/co.hpp>
#include <filch/sched/pool/mailbox_test.hpp>
#include <filch/timers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#endif

namespace {

using namespace std::chrono_literals;

void await(const std::atomic<int>& count, int wanted) {
  while (count.load() < wanted) std::this_thread::yield();
}

class external_source_on : public testing::TestWithParam<unsigned>,
                           protected filch::sched::pool_with_a_mailbox {
 protected:
  external_source_on() : pool_with_a_mailbox{GetParam()} {}
};
INSTANTIATE_TEST_SUITE_P(workers, external_source_on, testing::Values(1u, 2u, 4u));

/// After so many letters, few of which were fast, a test of fast ones gives up.
constexpr int most_letters = 50'000;

/// Pools in which one worker can be busy and another come.
using external_source_in_company = external_source_on;
INSTANTIATE_TEST_SUITE_P(workers, external_source_in_company, testing::Values(2u, 4u));

TEST_P(external_source_on, an_arrival_wakes_the_worker_that_sleeps_in_the_source) {
  std::atomic<int> handled{0};
  for (int i = 1; i <= 200; ++i) {
    if (i % 20 == 0) std::this_thread::sleep_for(5ms);
    box.put([&] { ++handled; });
    await(handled, i);
  }
}

TEST_P(external_source_on, submitted_work_is_found_although_somebody_sleeps_in_the_source) {
  std::atomic<int> ran{0};
  for (int i = 1; i <= 200; ++i) {
    if (i % 20 == 0) std::this_thread::sleep_for(5ms);
    pool().submit([&] { ++ran; });
    await(ran, i);
  }
}

TEST_P(external_source_on, busy_workers_look_between_jobs) {
  std::atomic<int> handled{0}, ended{0};
  std::atomic<bool> stop{false};
  std::function<void()> again = [&] {
    if (stop) {
      ++ended;
    } else {
      pool().submit(again);
    }
  };
  for (unsigned i = 0; i < GetParam(); ++i) pool().submit(again);
  box.put([&] { ++handled; });
  await(handled, 1);
  stop = true;
  await(ended, static_cast<int>(GetParam()));
}

TEST_P(external_source_in_company, an_arrival_during_the_job_of_the_last_one_finds_another_worker) {
  std::atomic<int> handled{0};
  box.put([&] {
    box.put([&] { ++handled; });
    await(handled, 1);  // holds this worker until another one has taken the second letter
    ++handled;
  });
  await(handled, 2);
}

TEST_P(external_source_in_company, an_arrival_is_handled_although_all_workers_are_in_long_jobs) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> inside{0}, handled{0}, ended{0};
    for (unsigned i = 0; i < GetParam(); ++i) {
      pool().submit([&] {
        ++inside;
        await(handled, 3);
        ++ended;
      });
    }
    await(inside, static_cast<int>(GetParam()));
    for (int i = 1; i <= 3; ++i) {
      box.put([&] { ++handled; });
      await(handled, i);
    }
    await(ended, static_cast<int>(GetParam()));
  }
}

/// Keeps the source busy, one letter at a time that the one before it sends, until `count` have
/// come.
void correspond(filch::sched::mailbox& box, std::atomic<int>& handled, int count) {
  std::function<void()> reply = [&, count] {
    if (++handled < count) box.put(reply);
  };
  box.put(reply);
  await(handled, count);
}

// Letters count if they came and went as fast as the one before. If the machine is busy with other
// things, the worker that took a letter is rightly no longer the active poller.
TEST_P(external_source_in_company, letters_that_come_one_by_one_wake_only_the_poller) {
  std::atomic<int> handled{0};
  correspond(box, handled, 100);
  const auto wakes = [&] { return pool().metrics().total.wakes_sent; };
  std::uint64_t counted = 0, woken = 0;
  for (bool was_fast = false, is_fast = false; counted < 1'000 && handled < most_letters;
       was_fast = is_fast) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t wakes_before = wakes();
    const int before = handled;
    box.put([&] { ++handled; });
    await(handled, before + 1);
    while (std::chrono::steady_clock::now() < begin + 60us) std::this_thread::yield();
    is_fast = std::chrono::steady_clock::now() < begin + 150us;
    if (!is_fast || !was_fast) continue;
    ++counted;
    woken += wakes() - wakes_before;
  }
  ASSERT_GE(counted, 100u) << "of so few nothing can be said";
  EXPECT_LE(woken, counted / 2);
}

TEST_P(external_source_in_company, an_active_poller_is_not_relied_on_for_long) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> handled{0}, answered{0};
    correspond(box, handled, 100);
    box.put([&] {
      box.put([&] { ++answered; });
      await(answered, 1);
      ++answered;
    });
    await(answered, 2);
  }
}

/// The jobs of letters that each put the next one, until it ends.
class flow {
 public:
  explicit flow(filch::sched::mailbox& in) : box_{in} {
    box_.put([this] { go_on(); });
  }
  ~flow() {
    stops_ = true;
    await(ended_, 1);
  }

 private:
  void go_on() {
    if (stops_) {
      ++ended_;
    } else {
      box_.put([this] { go_on(); });
    }
  }
  filch::sched::mailbox& box_;
  std::atomic<bool> stops_{false};
  std::atomic<int> ended_{0};
};

#if defined(__linux__)
long sleeps_of_this_process() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_nvcsw;
}

TEST_P(external_source_in_company, a_backup_poller_looks_rarely_if_the_active_poller_comes_back) {
  const flow letters{box};
  std::this_thread::sleep_for(20ms);
  std::vector<double> sleeps_in_a_millisecond;
  for (int round = 0; round < 11; ++round) {
    const long before = sleeps_of_this_process();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(50ms);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    sleeps_in_a_millisecond.push_back(static_cast<double>(sleeps_of_this_process() - before) /
                                      took.count());
  }
  std::ranges::nth_element(sleeps_in_a_millisecond, sleeps_in_a_millisecond.begin() + 5);
  EXPECT_LE(sleeps_in_a_millisecond[5], 2)
      << "a look each fifth of a millisecond takes a processor from somebody";
}
#endif

// They come during a job, and a worker that ends one polls before it searches: so no searcher is
// the reason why no worker is woken for the others. Not exact, as the backup poller may look just
// when they are there. As above, only letters count that were as fast as the ones before.
TEST_P(external_source_in_company,
       letters_that_come_together_wake_no_worker_beside_a_backup_poller) {
  using std::chrono::steady_clock;
  constexpr std::uint64_t rounds = 500;
  std::atomic<int> handled{0}, beside{0}, ended{0};
  correspond(box, handled, 100);
  std::uint64_t counted = 0, woken = 0, wakes_before = 0;
  int sent = 0;
  bool was_fast = false;
  auto begun = steady_clock::now();
  const auto light = [&] { ++beside; };
  std::function<void()> reply = [&] {
    const auto begun_before = std::exchange(begun, steady_clock::now());
    const std::uint64_t wakes = pool().metrics().total.wakes_sent;
    const bool is_fast = begun - begun_before < 150us;
    if (is_fast && was_fast) ++counted, woken += wakes - wakes_before;
    was_fast = is_fast;
    wakes_before = wakes;
    while (steady_clock::now() - begun < 60us) {
    }
    if (counted == rounds || sent > most_letters) {
      ++ended;
    } else {
      sent += 2;
      box.put_all({{light}, {light}, {reply}});
    }
  };
  box.put(reply);
  await(ended, 1);
  await(beside, sent);
  ASSERT_GE(counted, 100u) << "of so few nothing can be said";
  EXPECT_LE(woken, counted / 4);
}

TEST_P(external_source_in_company, letters_that_come_together_do_not_wait_for_the_first) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> handled{0}, here{0}, ended{0};
    correspond(box, handled, 100);
    const auto meet = [&] {
      ++here;
      await(here, 2);
      ++ended;
    };
    box.put_all({{meet}, {meet}});
    await(ended, 2);
  }
}

TEST_P(external_source_in_company, a_letter_is_not_left_to_a_worker_that_took_none) {
  std::atomic<bool> stop{false};
  std::atomic<int> inside{0}, handled{0};
  pool().submit([&] {
    ++inside;
    while (!stop) std::this_thread::sleep_for(1ms);  // keeps its slot
    ++inside;
  });
  await(inside, 1);
  using std::chrono::steady_clock;
  // Of letters that came soon after the last one was taken. Later its worker is no longer the
  // active poller, and each letter is quick.
  std::vector<steady_clock::duration> took;
  auto taken = steady_clock::now();
  for (int letter = 0; took.size() < 1'000 && letter < most_letters; ++letter) {
    while (steady_clock::now() < taken + 30us) std::this_thread::yield();
    const auto put = steady_clock::now();
    box.put([&] { ++handled; });
    await(handled, letter + 1);
    const bool came_soon = put < taken + 100us;
    taken = steady_clock::now();
    if (came_soon) took.push_back(taken - put);
  }
  stop = true;
  await(inside, 2);
  ASSERT_GE(took.size(), 200u) << "of so few nothing can be said";
  const auto quartile = took.begin() + static_cast<std::ptrdiff_t>(took.size() / 4);
  std::ranges::nth_element(took, quartile);
  if (filch::base::is_sanitized)
    GTEST_SKIP() << "how long a letter takes says nothing under a sanitizer";
  EXPECT_LT(*quartile, 150us) << "each has waited for somebody's next look";
}

// A backup poller that counted the time it meant to sleep was late by up to a tenth, in most runs
// but not in all.
TEST_P(external_source_in_company, a_timer_that_the_backup_poller_drives_is_in_time) {
  std::vector<std::chrono::nanoseconds> late;
  for (int round = 0; round < 3; ++round) {
    std::atomic<std::chrono::nanoseconds> by{0ns};
    const auto due = std::chrono::steady_clock::now() + 250ms;
    filch::spawn(pool(),
                 [](auto until, auto& late_by) -> filch::task<> {
                   co_await filch::sleep_until(until);
                   late_by = std::chrono::steady_clock::now() - until + 1ns;
                 }(due, by))
        .detach();
    for (std::atomic<int> handled{0}; std::chrono::steady_clock::now() < due - 10ms;) {
      const int before = handled;
      box.put([&] { ++handled; });
      await(handled, before + 1);
      const auto until = std::chrono::steady_clock::now() + 200us;
      while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    }
    while (by.load() == 0ns) std::this_thread::yield();
    late.push_back(by.load());
  }
  std::ranges::nth_element(late, late.begin() + 1);
  EXPECT_LT(late[1], 5ms);
}

TEST(external_source, the_first_of_what_comes_does_not_pass_what_is_urgent) {
  filch::sched::pool_with_a_mailbox made{1};
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> ran{0}, urgent_ran_as{0};
    made.box.put_all({{[&] { ++ran; }}, {[&] { urgent_ran_as = ++ran; }, filch::priority::high}});
    await(ran, 2);
    EXPECT_EQ(urgent_ran_as, 1);
  }
}

/// A source with a callback that submits a job and waits for it.
class impatient_source final : public filch::sched::external_source {
 public:
  explicit impatient_source(filch::thread_pool& pool) : pool_{pool} {}
  bool poll(look) noexcept override {
    if (has_called_.exchange(true)) return false;
    std::atomic<int> ran{0};
    pool_.submit([&] { ++ran; });
    filch::blocking([&] { await(ran, 1); });
    has_returned = true;
    return true;
  }
  bool wait_for(std::uint64_t) noexcept override {
    std::this_thread::sleep_for(1ms);
    return !has_called_;
  }
  void interrupt() noexcept override {}

  std::atomic<bool> has_returned{false};

 private:
  filch::thread_pool& pool_;
  std::atomic<bool> has_called_{false};
};

TEST(external_source, a_callback_that_blocks_lets_others_have_what_it_has_submitted) {
  auto pool = std::make_unique<filch::thread_pool>(filch::pool_options{.workers = 2});
  impatient_source source{*pool};
  pool->core().attach(source);
  while (!source.has_returned) std::this_thread::yield();
  pool.reset();
}

TEST(external_source, letters_that_come_while_an_external_thread_has_the_only_slot_are_taken) {
  filch::sched::pool_with_a_mailbox made{1};
  std::atomic<int> handled{0};
  made.box.put([&] { ++handled; });
  await(handled, 1);
  std::this_thread::sleep_for(30ms);
  made.pool().run([&] {
    made.box.put([&] { ++handled; });
    std::this_thread::sleep_for(20ms);
  });
  await(handled, 2);
}

TEST_P(external_source_on, a_quiet_source_is_slept_in) {
  std::this_thread::sleep_for(50ms);  // past the timed parks
  const int before = box.waits;
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(box.poll_scope, 1);
  EXPECT_LE(box.waits - before, 2);
}

TEST(external_source, is_left_alone_once_its_pool_has_ended) {
  auto pool = std::make_unique<filch::thread_pool>(filch::pool_options{.workers = 2});
  filch::sched::mailbox box{*pool};
  pool->core().attach(box);
  std::atomic<int> handled{0};
  box.put([&] { ++handled; });
  await(handled, 1);
  EXPECT_FALSE(box.lacks_driver);
  pool.reset();
  EXPECT_TRUE(box.lacks_driver);
}

TEST_P(external_source_in_company, forks_wake_the_poller_if_no_other_worker_can_come) {
  std::this_thread::sleep_for(50ms);
  pool().run([&] {
    std::atomic<int> here{0};
    filch::parallel_for(0, 2, [&](int) {
      ++here;
      await(here, 2);
    });
  });
}

}  // namespace
