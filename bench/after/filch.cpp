#include <bench/after/problem.hpp>
#include <bench/harness/contender.hpp>
#include <filch/graph/spawn_after.hpp>

#include <span>
#include <utility>
#include <vector>

namespace {

using namespace bench::after;
using counted = filch::shared_join_handle<std::uint64_t>;

std::uint64_t in_a_chain(std::uint64_t tasks) {
  counted last = filch::spawn_after([] { return std::uint64_t{1}; });
  for (std::uint64_t i = 1; i != tasks; ++i)
    last = filch::spawn_after([](std::uint64_t before) { return before + 1; }, last);
  return last.get();
}

// Level by level, as if each task were found late. The last task has one successor.
std::uint64_t in_a_tree(std::uint64_t tasks) {
  std::vector<counted> level;
  for (std::uint64_t i = 0; i != tasks / 2; ++i)
    level.push_back(filch::spawn_after([] { return std::uint64_t{1}; }));
  while (level.size() != 1) {
    std::vector<counted> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(filch::spawn_after(
          [](std::uint64_t left, std::uint64_t right) { return left + right + 1; }, level[i],
          level[i + 1]));
    }
    if (level.size() % 2 != 0) next.push_back(std::move(level.back()));
    level = std::move(next);
  }
  return filch::spawn_after([](std::uint64_t all) { return all + 1; }, level[0]).get();
}

std::uint64_t in_a_star(std::uint64_t tasks) {
  const counted first = filch::spawn_after([] { return std::uint64_t{1}; });
  std::vector<counted> rays;
  for (std::uint64_t i = 2; i != tasks; ++i)
    rays.push_back(filch::spawn_after([](std::uint64_t one) { return one; }, first));
  const auto add = [](std::span<const counted> all) {
    std::uint64_t sum = 2;
    for (const counted& each : all) sum += each.get();
    return sum;
  };
  return filch::spawn_after(add, std::move(rays)).get();
}

}  // namespace

int main(int argc, char** argv) {
  bench::contender me(
      argc, argv,
      {.problem = "after", .peer = "filch", .size = default_tasks, .variant = default_case});
  const parameters given{me.size<std::uint64_t>(),
                         asked_for(me.variant(), me.size<std::uint64_t>())};
  me.require(given.how != way::none, case_rule);
  filch::thread_pool pool(filch::pool_options{.workers = me.workers()});
  pool.warm_up();
  me.measure(
      given,
      [&](const parameters& p) {
        return pool.run([&] {
          return p.how == way::chain  ? in_a_chain(p.tasks)
                 : p.how == way::tree ? in_a_tree(p.tasks)
                                      : in_a_star(p.tasks);
        });
      },
      check);
  return me.exit_status();
}
