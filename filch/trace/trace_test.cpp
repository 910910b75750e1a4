// What a session records of a pool, and what it does in a child process.
#include <filch/base/sanitized_test.hpp>
#include <filch/fork.hpp>
#include <filch/testing/other_side_test.hpp>
#include <filch/trace.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <thread>

namespace {

using filch::event::activity;
using filch::event::entry;
using filch::event::kind;
using filch::event::record;
using filch::event::recording;

std::size_t count_of(const recording& all, kind what) {
  return static_cast<std::size_t>(
      std::ranges::count(all.entries, what, [](const entry& e) { return e.what.what; }));
}

/// Two leaves that end only when both have begun: the right one must be stolen.
void meet(filch::thread_pool& pool) {
  std::atomic<int> arrived{0};
  pool.run([&] {
    const auto arrive = [&, before_fork = std::chrono::steady_clock::now()] {
      ++arrived;
      filch::testing::await_other_side(before_fork, [&] { return arrived == 2; });
    };
    filch::join(arrive, arrive);
  });
}

/// Every entry has valid indices, ascending times, and a state that its kind allows.
void expect_sound(const recording& all) {
  std::int64_t latest = 0;
  for (const entry& each : all.entries) {
    EXPECT_GE(each.at_ns, latest);
    EXPECT_LE(each.at_ns, all.length_ns);
    latest = each.at_ns;
    ASSERT_LT(each.worker, all.workers.size());
    const bool needs_slot = each.what.doing == activity::working ||
                            each.what.doing == activity::searching ||
                            each.what.doing == activity::waiting;
    EXPECT_EQ(each.what.slot != record::nobody, needs_slot)
        << "activity " << static_cast<int>(each.what.doing) << " at " << each.at_ns;
    if (each.what.what == kind::job_run) {
      EXPECT_LT(each.what.amount, all.sites.size());
    }
  }
}

TEST(trace_session, a_steal_names_its_victim_and_the_job_that_was_run) {
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  meet(pool);
  const recording all = session.end();
  expect_sound(all);
  ASSERT_EQ(count_of(all, kind::steal_won), 1u);
  const auto won =
      std::ranges::find(all.entries, kind::steal_won, [](const entry& e) { return e.what.what; });
  const auto run =
      std::ranges::find(all.entries, kind::job_run, [](const entry& e) { return e.what.what; });
  ASSERT_NE(run, all.entries.end());
  EXPECT_EQ(run->worker, won->worker);
  EXPECT_EQ(run->what.other, won->what.other);
  EXPECT_NE(all.workers[won->worker].index, won->what.other) << "nobody steals from itself";
  EXPECT_EQ(won->what.amount, filch::event::seen_takeable(0)) << "it was the only fork";
  const auto& site = all.sites.at(run->what.amount);
  EXPECT_NE(site.name.find("meet"), site.name.npos)
      << "the site is " << site.name << " in " << site.module;
}

TEST(trace_session, a_job_says_whether_it_came_from_outside_or_out_of_whose_queue) {
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  std::atomic<int> arrived{0}, left{3};
  const auto meet_the_other = [&] {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
    --left;
  };
  pool.submit([&] {
    pool.submit(meet_the_other);
    pool.submit(meet_the_other);
    --left;
  });
  while (left != 0) std::this_thread::yield();
  const recording all = session.end();
  expect_sound(all);
  std::map<std::uint16_t, int> came_from;
  std::uint16_t first = record::nobody;
  for (const entry& each : all.entries) {
    if (each.what.what != kind::job_run) continue;
    ++came_from[each.what.other];
    if (each.what.other == record::outside)
      first = static_cast<std::uint16_t>(all.workers[each.worker].index);
  }
  EXPECT_EQ(came_from,
            (std::map<std::uint16_t, int>{{first, 1}, {record::outside, 1}, {record::nobody, 1}}));
  const auto won =
      std::ranges::find(all.entries, kind::steal_won, [](const entry& e) { return e.what.what; });
  ASSERT_NE(won, all.entries.end());
  EXPECT_EQ(won->what.other, first);
  EXPECT_EQ(won->what.amount, 0u) << "nobody looked how many are left";
}

TEST(trace_session, a_job_that_leaves_its_slot_says_why) {
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session;
  pool.run([] { filch::blocking([] {}); });
  const recording all = session.end();
  ASSERT_EQ(count_of(all, kind::blocking_entered), 1u);
  const auto left = std::ranges::find(all.entries, kind::blocking_entered,
                                      [](const entry& e) { return e.what.what; });
  const auto next = std::find_if(left + 1, all.entries.end(),
                                 [&](const entry& e) { return e.worker == left->worker; });
  ASSERT_NE(next, all.entries.end());
  EXPECT_EQ(next->what.doing, activity::blocked);
}

/// Names of the sites of jobs, as often as they ran.
std::map<std::string, int> names_of_jobs(const recording& all) {
  std::map<std::string, int> names;
  for (const entry& each : all.entries) {
    if (each.what.what == kind::job_run) ++names[all.sites.at(each.what.amount).name];
  }
  return names;
}

int count_with(const std::map<std::string, int>& names, std::string_view part) {
  int sum = 0;
  for (const auto& [name, count] : names) sum += name.find(part) != name.npos ? count : 0;
  return sum;
}

void sow(filch::task_group& group, std::atomic<int>& done) {
  group.run([&] { ++done; });
}
void reap(filch::task_group& group, std::atomic<int>& done) {
  for (int i = 0; i < 3; ++i) group.run([&] { ++done; });
}

TEST(trace_session, a_job_of_a_group_names_its_own_code_and_not_its_ticket) {
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  std::atomic<int> done{0};
  filch::task_group group{pool};
  sow(group, done);
  reap(group, done);
  // Before the wait, which would take jobs without tickets
  while (done < 4) std::this_thread::yield();
  group.wait();
  const auto names = names_of_jobs(session.end());
  EXPECT_EQ(count_with(names, "sow"), 1);
  EXPECT_EQ(count_with(names, "reap"), 3);
  EXPECT_EQ(count_with(names, "ticket"), 0);
}

TEST(trace_session, a_submitted_job_names_its_own_code) {
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  std::atomic<int> done{0};
  pool.submit([&] { ++done; });
  while (done < 1) std::this_thread::yield();
  EXPECT_EQ(count_with(names_of_jobs(session.end()), "names_its_own_code"), 1);
}

/// The lengths that workers saw of their own queues, in order of time.
std::vector<std::uint32_t> own_looks(const recording& all) {
  std::vector<std::uint32_t> jobs;
  for (const entry& each : all.entries) {
    if (each.what.what == kind::state_changed && each.what.amount != 0)
      jobs.push_back(each.what.amount - 1);
  }
  return jobs;
}

TEST(trace_session, a_worker_that_empties_its_ready_queue_tells_how_full_it_is) {
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session;
  std::atomic<int> done{0};
  pool.submit([&] {
    for (int i = 0; i < 64; ++i) pool.submit([&] { ++done; });
  });
  while (done < 64) std::this_thread::yield();
  const std::vector<std::uint32_t> looks = own_looks(session.end());
  const auto fullest = std::ranges::max_element(looks);
  ASSERT_NE(fullest, looks.end());
  EXPECT_EQ(*fullest, 63u) << "the first has been taken when it is told";
  for (const std::uint32_t jobs : {31u, 15u, 7u, 3u, 1u, 0u}) {
    EXPECT_NE(std::find(fullest, looks.end(), jobs), looks.end())
        << jobs << " were left at some time";
  }
}

// The left sides wait for the thief, so of eight forks seven or fewer are left when it has its
// first one; the owner that exposed them records that.
TEST(trace_session, an_owner_that_exposes_tells_how_many_forks_others_could_take) {
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  std::atomic<bool> is_stolen{false};
  const auto nest = [&](const auto& self, int depth) -> void {
    if (depth == 0) {
      while (!is_stolen) filch::join([] {}, [] {});  // each fork looks for a request
    } else {
      filch::join([&] { self(self, depth - 1); }, [&] { is_stolen = true; });
    }
  };
  pool.run([&] { nest(nest, 8); });
  const recording all = session.end();
  const auto is_look = [](const entry& e) {
    return filch::event::tells_takeable(e.what.what) && e.what.amount > 1;
  };
  EXPECT_TRUE(std::ranges::any_of(all.entries, is_look));
}

std::uint64_t sum_of(kind what, const recording& all) {
  std::uint64_t sum = 0;
  for (const entry& each : all.entries) {
    if (each.what.what == what) sum += each.what.amount;
  }
  return sum;
}

/// Microseconds that workers slept with a slot.
std::uint64_t slept_us(const recording& all) { return sum_of(kind::slept_in_job, all); }

/// The same while `job` was run a few times, one after the other.
std::uint64_t slept_us_in(void (*job)()) {
  filch::thread_pool pool({.workers = 1});
  pool.warm_up();
  filch::trace_session session;
  std::atomic<int> done{0};
  for (int i = 0; i < 4; ++i) pool.submit([&] { job(), ++done; });
  while (done < 4) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return slept_us(session.end());
}

TEST(trace_session, a_visitor_s_sleep_counts_from_the_moment_it_came) {
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session;
  pool.run([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
  const recording all = session.end();
  // A thread that sleeps and then gets no CPU is delayed for the rest.
  EXPECT_GT(slept_us(all) + sum_of(kind::run_delayed, all), 25'000u);
  EXPECT_GT(slept_us(all), 0u);
}

TEST(trace_session, sleep_in_a_job_is_not_taken_for_work) {
  EXPECT_GT(slept_us_in([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }),
            40'000u);
  const auto compute = [] {
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
         std::chrono::steady_clock::now() < end;) {
    }
  };
  // What the hypervisor takes away looks the same.
  EXPECT_LT(std::min({slept_us_in(compute), slept_us_in(compute), slept_us_in(compute)}), 10'000u);
}

TEST(trace_session, sleep_between_two_of_them_is_told_by_neither) {
  filch::thread_pool pool({.workers = 1});
  const auto run = [&](std::chrono::milliseconds sleep) {
    std::atomic<bool> done{false};
    pool.submit([&] { std::this_thread::sleep_for(sleep), done = true; });
    while (!done) std::this_thread::yield();
  };
  filch::trace_session first;
  run(std::chrono::milliseconds(0));
  first.end();
  run(std::chrono::milliseconds(60));
  filch::trace_session second;
  for (int i = 0; i < 3; ++i) run(std::chrono::milliseconds(0));
  EXPECT_LT(slept_us(second.end()), 30'000u);
}

TEST(trace_session, what_happened_before_it_began_is_told_as_the_state_at_its_begin) {
  filch::thread_pool pool({.workers = 2});
  meet(pool);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  filch::trace_session session;
  const recording all = session.end();
  expect_sound(all);
  EXPECT_EQ(count_of(all, kind::steal_won), 0u);
  ASSERT_FALSE(all.entries.empty()) << "the thread that sleeps in the pool is known to";
  EXPECT_EQ(all.entries.front().at_ns, 0);
  EXPECT_EQ(all.entries.front().what.what, kind::state_changed);
}

TEST(trace_session, sessions_overlap_and_each_sees_its_own_time) {
  filch::thread_pool pool({.workers = 2});
  filch::trace_session outer;
  meet(pool);
  recording within;
  {
    filch::trace_session inner;
    meet(pool);
    within = inner.end();
  }
  meet(pool);
  const recording all = outer.end();
  expect_sound(within);
  expect_sound(all);
  EXPECT_EQ(count_of(within, kind::steal_won), 1u);
  EXPECT_EQ(count_of(all, kind::steal_won), 3u);
  EXPECT_LT(within.length_ns, all.length_ns);
}

TEST(trace_session, nothing_is_recorded_between_two_sessions) {
  filch::thread_pool pool({.workers = 2});
  { filch::trace_session first; }
  meet(pool);
  filch::trace_session second;
  EXPECT_EQ(count_of(second.end(), kind::steal_won), 0u);
}

TEST(trace_session, a_worker_whose_ring_was_too_small_says_how_much_is_lost) {
  filch::thread_pool pool({.workers = 1});
  filch::trace_session session;
  for (int i = 0; i < 50'000; ++i) pool.run([] {});  // two records each: to enter and to leave
  const recording all = session.end();
  expect_sound(all);
  const auto it = std::ranges::max_element(all.workers, {}, [](const auto& w) { return w.lost; });
  ASSERT_NE(it, all.workers.end());
  EXPECT_GT(it->lost, 30'000u);
  EXPECT_GT(it->complete_from_ns, 0);
  const auto worker = static_cast<std::uint32_t>(it - all.workers.begin());
  const auto first = std::ranges::find(all.entries, worker, &entry::worker);
  ASSERT_NE(first, all.entries.end());
  EXPECT_EQ(first->at_ns, it->complete_from_ns);
}

TEST(trace_session, more_pools_than_rings_are_kept_one_after_the_other) {
  filch::trace_session session;
  for (int i = 0; i < 100; ++i) {
    filch::thread_pool pool({.workers = 2});
    meet(pool);
  }
  const recording all = session.end();
  expect_sound(all);
  EXPECT_GE(count_of(all, kind::steal_won), 20u) << "of the last pools";
  EXPECT_LE(count_of(all, kind::steal_won), 100u) << "each has one, and is told under one name";
  EXPECT_LE(all.pools.size(), 100u);
  EXPECT_GE(all.reused_rings, 30u)
      << "64 rings are kept, and each of the others has had a worker before";
  EXPECT_GE(all.reused_rings + all.workers.size(), 100u) << "each worker is here or counted";

  filch::trace_session next;
  EXPECT_EQ(next.end().reused_rings, 0u) << "what was lost before it began is none of its own";
}

TEST(trace_session, a_session_may_begin_and_end_while_workers_work) {
  filch::thread_pool pool({.workers = 4});
  std::atomic<bool> stop{false};
  std::thread working{[&] {
    while (!stop) meet(pool);
  }};
  for (int i = 0; i < 50; ++i) {
    filch::trace_session session;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    expect_sound(session.end());
  }
  stop = true;
  working.join();
}

TEST(trace_session, a_child_of_fork_is_not_recorded_and_can_begin_anew) {
  if (filch::base::under_thread_sanitizer)
    GTEST_SKIP() << "it lets a forked child start no threads";
  filch::thread_pool pool({.workers = 2});
  filch::trace_session session;
  meet(pool);
  const pid_t child = ::fork();
  if (child == 0) {
    meet(pool);
    const bool is_empty = session.end().entries.empty();
    filch::trace_session own;
    meet(pool);
    ::_exit(is_empty && count_of(own.end(), kind::steal_won) == 1 ? 42 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 42);
  EXPECT_EQ(count_of(session.end(), kind::steal_won), 1u);
  ::unlink(("/dev/shm/filch." + std::to_string(child)).c_str());
}

}  // namespace
