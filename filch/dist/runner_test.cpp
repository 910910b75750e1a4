// Whole runs on pools of real workers, with ranks in one process.
#include <filch/dist/for_each_task.hpp>
#include <filch/dist/in_process_test.hpp>
#include <filch/dist/simulated_ranks_test.hpp>

#include <atomic>
#include <functional>
#include <numeric>

namespace filch::inline v0_2::dist {
namespace {

/// A task that can be sent.
struct sent_task {
  tree_task task{};
  template <class A>
  void serialize(A& archive) {
    archive& task.word& task.levels;
  }
};

std::vector<sent_task> some_roots(std::uint64_t seed, int count, std::uint64_t levels) {
  base::split_mix64 random{seed};
  std::vector<sent_task> roots;
  for (int left = count; left > 0; --left) roots.push_back({{random(), levels}});
  return roots;
}
std::uint64_t count_of(const std::vector<sent_task>& roots) {
  std::uint64_t sum = 0;
  for (const sent_task& each : roots) sum += each.task.count();
  return sum;
}
const auto expand = [](sent_task at, auto& push, std::uint64_t& count) {
  ++count;
  for (const tree_task& child : at.task.children()) push({child});
};
const monoid sum{std::uint64_t{0}, std::plus<>{}};

class runs_on : public testing::TestWithParam<std::pair<int, unsigned>> {
 protected:
  void run(const std::function<void(communicator&)>& body) {
    on_ranks(GetParam().first, GetParam().second, body);
  }
};

TEST_P(runs_on, count_every_task_once_again_and_again) {
  const auto roots = some_roots(1, 40, 12);
  const std::uint64_t expected = count_of(roots);
  run([&](communicator& ranks) {
    for (int turn = 0; turn < 5; ++turn) {
      EXPECT_EQ(for_each_task(ranks, roots, expand, sum), expected);
      std::uint64_t tasks = 0;
      for (const rank_report& each : ranks.reports()) tasks += each.tasks;
      EXPECT_EQ(tasks, expected);
    }
  });
}

TEST_P(runs_on, end_at_once_without_a_task) {
  run([](communicator& ranks) {
    for (int turn = 0; turn < 20; ++turn)
      EXPECT_EQ(for_each_task(ranks, std::vector<sent_task>{}, expand, sum), 0u);
  });
}

TEST_P(runs_on, a_task_that_throws_ends_the_run_everywhere) {
  std::atomic<int> failed{0}, thrown{0};
  run([&](communicator& ranks) {
    const auto throws = [](sent_task at, auto& push, std::uint64_t& count) {
      expand(at, push, count);
      if (count == 300) throw std::logic_error("the 300th");
    };
    try {
      for_each_task(ranks, some_roots(2, 60, 12), throws, sum);
    } catch (const std::logic_error&) {
      ++thrown;
    } catch (const run_failed& failure) {
      EXPECT_NE(std::string{failure.what()}.find("the 300th"), std::string::npos);
      ++failed;
    }
    EXPECT_THROW(for_each_task(ranks, some_roots(2, 6, 3), expand, sum), run_failed);
  });
  EXPECT_GE(thrown, 1);
  EXPECT_EQ(thrown + failed, GetParam().first);
}

TEST_P(runs_on, ranks_with_other_parameters_are_refused_everywhere) {
  if (GetParam().first == 1) return;
  run([](communicator& ranks) {
    const run_options options{.parameters = ranks.rank() == 1 ? "n = 7" : "n = 8"};
    try {
      for_each_task(ranks, some_roots(1, 1, 1), expand, sum, options);
      ADD_FAILURE() << "runs";
    } catch (const ranks_differ& problem) {
      EXPECT_STREQ(problem.what(), "filch: rank 1 has other types or parameters than rank 0");
    }
    EXPECT_EQ(for_each_task(ranks, some_roots(1, 1, 0), expand, sum), 1u) << "a later run";
  });
}

TEST_P(runs_on, work_spreads_to_all_ranks) {
  run([](communicator& ranks) {
    const auto slow = [](sent_task at, auto& push, std::uint64_t& count) {
      const std::uint64_t until = base::now_ns() + 20'000;
      while (base::now_ns() < until) {
      }
      expand(at, push, count);
    };
    for_each_task(ranks, some_roots(3, 40, 9), slow, sum);
    for (const rank_report& each : ranks.reports()) EXPECT_GT(each.tasks, 0u);
  });
}

INSTANTIATE_TEST_SUITE_P(ranks, runs_on,
                         testing::Values(std::pair{1, 1u}, std::pair{1, 3u}, std::pair{2, 1u},
                                         std::pair{3, 2u}, std::pair{5, 1u}));

TEST(archive, values_come_back_and_other_bytes_are_refused) {
  using all = std::tuple<int, std::uint64_t, double, float, std::string, std::vector<std::int8_t>,
                         std::optional<std::pair<bool, char>>, std::array<short, 2>, sent_task>;
  const all before{-7,      ~std::uint64_t{0},    0.1,    -3.5f,   "text",
                   {1, -2}, std::pair{true, 'x'}, {5, 6}, {{8, 9}}};
  const std::string bytes = to_bytes(before);
  EXPECT_EQ(to_bytes(from_bytes<all>(bytes, "a value")), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(from_bytes<all>(bytes.substr(0, length), "a value"), trace::bad_file);
  EXPECT_THROW(from_bytes<all>(bytes + "x", "a value"), trace::bad_file);
  EXPECT_THROW(from_bytes<std::uint8_t>(to_bytes(300), "a value"), trace::bad_file);
  EXPECT_THROW(from_bytes<bool>(to_bytes(2u), "a value"), trace::bad_file);
  EXPECT_THROW(from_bytes<std::int8_t>(to_bytes(200), "a value"), trace::bad_file);
  EXPECT_THROW(from_bytes<std::vector<int>>("\xff\xff\xff\xff\x0f", "a value"), trace::bad_file);
}

TEST(task_stack, gives_its_oldest_half_and_keeps_its_order) {
  task_stack<int> tasks;
  for (int at = 0; at < 10; ++at) tasks.push(at);
  EXPECT_FALSE(tasks.split(6));
  auto share = tasks.split(5);
  ASSERT_TRUE(share);
  EXPECT_EQ(share->size(), 5u);
  EXPECT_EQ(share->pop(), 4);
  EXPECT_EQ(tasks.pop(), 9);
  tasks.merge(std::move(*share));
  EXPECT_EQ(tasks.size(), 8u);
  EXPECT_EQ(tasks.pop(), 8);
  const auto back = from_bytes<task_stack<int>>(to_bytes(tasks), "a stack");
  EXPECT_EQ(back.size(), 7u);
  EXPECT_FALSE(task_stack<int>{}.split(1));
}

TEST(pace, a_chunk_takes_between_its_bounds) {
  pace chunk;
  for (int turn = 0; turn < 40; ++turn) chunk.took(chunk.count() * 100, chunk.count());
  EXPECT_GE(chunk.count() * 100, pace::shortest_ns / 2);
  EXPECT_LE(chunk.count() * 100, pace::longest_ns);
  for (int turn = 0; turn < 40; ++turn) chunk.took(chunk.count() * 1'000'000, chunk.count());
  EXPECT_EQ(chunk.count(), 1u);
}

}  // namespace
}  // namespace filch::dist
