// The text of the deque that ships, in every execution that the C++20 memory model allows of an
// owner and two thieves; then with one of its orders weakened at a time. A program of its own,
// since the explorer replaces `operator new`. Prints one line of JSON.
#include <filch/queue/deque.hpp>
#include <filch/testing/model/checked_sync.hpp>

#include <array>
#include <cstdio>

namespace {

using filch::queue::edge;
using filch::testing::checked_sync;
using filch::testing::model_assert;
using filch::testing::search_goal;
using filch::testing::verdict;

struct job {
  checked_sync::plain<int> taken{0};
};

/// An owner that pushes some jobs and pops two, thieves that steal one each: every job is taken
/// once, by a thread that sees it filled.
template <int Thieves, int Pushes, std::size_t Capacity>
struct fight : filch::testing::scenario<1 + Thieves> {
  filch::queue::deque<job*, checked_sync> queue{{.capacity = Capacity}};
  std::array<job, Pushes> jobs;

  static void take(std::optional<job*> got) {
    if (got) (*got)->taken.write((*got)->taken.read() + 1);
  }
  void thread(unsigned index) override {
    if (index != 0) {
      if (const auto loot = queue.steal()) take(loot.item);
      return;
    }
    for (job& each : jobs) {
      each.taken.write(0);
      queue.push(&each);
    }
    take(queue.pop());
    take(queue.pop());
  }
  void after() override {
    while (const auto left = queue.pop()) take(left);
    for (const job& each : jobs)
      model_assert(each.taken.read() == 1, "each job is taken exactly once");
  }
};

using for_the_last = fight<2, 2, 4>;
using while_it_grows = fight<1, 3, 2>;

template <auto Edge, class Scenario>
void try_without(const char* name, const char* before) {
  filch::base::weaken<Edge>();
  const verdict found = filch::testing::check<Scenario>(search_goal::a_break);
  filch::base::weaken_nothing();
  std::printf(R"(%s{"edge": "%s", "broken": %s, "executions": %llu})", before, name,
              found.is_broken ? "true" : "false",
              static_cast<unsigned long long>(found.execution_count));
}

}  // namespace

int main() {
  std::uint64_t executions = 0, states = 0;
  bool holds = true;
  for (const verdict& each : {filch::testing::check<for_the_last>(search_goal::everything),
                              filch::testing::check<while_it_grows>(search_goal::everything)}) {
    executions += each.execution_count;
    states += each.state_count;
    holds = holds && !each.is_broken && each.is_complete;
  }
  std::printf(R"({"holds": %s, "executions": %llu, "states": %llu, "weakened": [)",
              holds ? "true" : "false", static_cast<unsigned long long>(executions),
              static_cast<unsigned long long>(states));
  try_without<edge::publish, for_the_last>("publish", "");
  try_without<edge::last_item, for_the_last>("last_item", ", ");
  try_without<edge::grow, while_it_grows>("grow", ", ");
  std::printf("]}\n");
}
