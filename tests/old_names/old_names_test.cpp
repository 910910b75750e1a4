// The names of 0.1: each means what it is called now, and the compiler says so.
#include <filch/analyze.hpp>
#include <filch/filch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <type_traits>
#include <vector>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static_assert(std::is_same_v<filch::spawned<int>, filch::join_handle<int>>);
static_assert(std::is_same_v<filch::in_time<int>, filch::timeout_result<int>>);
static_assert(std::is_same_v<filch::timing, filch::time_histogram>);
static_assert(filch::npos == filch::no_worker);
static_assert(std::is_same_v<filch::analysed_site, filch::analysis::site>);
static_assert(std::is_same_v<filch::analysis_costs, filch::analysis::costs>);
static_assert(std::is_same_v<filch::analysis_options, filch::analysis::options>);
static_assert(std::is_same_v<filch::predicted_time, filch::analysis::predicted_time>);
static_assert(&filch::is_analysed == &filch::analysis::is_running);
static_assert(&filch::measured_costs == &filch::analysis::measured_costs);
static_assert(&filch::suggested_grain == &filch::analysis::suggested_grain);
static_assert(&filch::what_if == &filch::analysis::what_if);
static_assert(&filch::with_work == &filch::analysis::with_work);

namespace {

TEST(old_names, while_each_works_on_a_list_that_grows) {
  std::atomic<int> visited{0};
  filch::while_each(std::vector<int>{3}, [&](int left, filch::feeder<int>& more) {
    ++visited;
    if (left > 0) more.add(left - 1);
  });
  EXPECT_EQ(visited, 4);
}

TEST(old_names, a_call_with_an_analysis_finds_one_function_by_either_name) {
  using namespace filch;
  filch::analysis::result found;
  found.work_ns = 100;
  EXPECT_EQ(predict(found, 4).workers, 4u);
  EXPECT_EQ(filch::predict(found, 4).bound_ns, filch::analysis::predict(found, 4).bound_ns);
}

filch::task<> note(std::string& order, char mark) {
  order += mark;
  co_return;
}
filch::task<std::string> spawn_by_position(filch::thread_pool& pool) {
  using filch::priority;
  std::string order;
  filch::co::scope nursery;
  nursery.spawn(note(order, 'd'), priority::background);
  auto third = filch::spawn(pool, note(order, 'c'), priority::normal);
  auto second = filch::spawn(note(order, 'b'), priority::high);
  auto first = filch::spawn(pool, note(order, 'a'), priority::high);
  co_await nursery.join();
  co_await first;
  co_await second;
  co_await third;
  co_return order;
}

TEST(old_names, a_priority_by_position_is_a_priority) {
  filch::thread_pool pool({.workers = 1});
  EXPECT_EQ(filch::block_on(filch::spawn(pool, spawn_by_position(pool))), "bacd");
}

TEST(old_names, a_worker_local_with_its_pool_behind_belongs_to_that) {
  filch::thread_pool pool({.workers = 1});
  filch::worker_local<int> sevens([] { return 7; }, pool);
  EXPECT_EQ(pool.run([&] { return sevens.local(); }), 7);
}

template <class Thrown>
bool is_caught_as_cancelled() {
  try {
    throw Thrown();
  } catch (const filch::operation_cancelled& caught) {
    return *caught.what() != '\0';
  }
}

TEST(operation_cancelled, is_the_base_of_what_says_that_something_was_asked_to_stop) {
  EXPECT_TRUE(is_caught_as_cancelled<filch::stopped>());
  EXPECT_TRUE(is_caught_as_cancelled<filch::co::cancelled>());
  EXPECT_TRUE(is_caught_as_cancelled<filch::pool_stopped>());
}

TEST(version, says_its_parts) {
  EXPECT_EQ(std::to_string(FILCH_VERSION_MAJOR) + '.' + std::to_string(FILCH_VERSION_MINOR) + '.' +
                std::to_string(FILCH_VERSION_PATCH),
            FILCH_VERSION);
}

}  // namespace
