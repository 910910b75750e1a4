// The explorer shows exactly the outcomes that the text of C++20 allows, load buffering aside.
#include <gtest/gtest.h>

#include <filch/base/long_stress.hpp>
#include <filch/base/rng.hpp>
#include <filch/testing/model/axioms.hpp>
#include <filch/testing/model/explorer_sync.hpp>
#include <filch/testing/model/heap.hpp>

#include <algorithm>
#include <array>
#include <iostream>
#include <iterator>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace filch::testing;
using kind = litmus_operation::kind;
using std::memory_order;

constexpr memory_order relaxed = std::memory_order_relaxed;
constexpr memory_order acquire = std::memory_order_acquire;
constexpr memory_order release = std::memory_order_release;
constexpr memory_order acq_rel = std::memory_order_acq_rel;
constexpr memory_order seq_cst = std::memory_order_seq_cst;

/// A litmus program as a scenario of the explorer.
struct litmus_run : scenario_steps {
  static inline const litmus_program* program = nullptr;
  static inline std::set<litmus_outcome>* outcomes = nullptr;
  static constexpr unsigned max_operations = 16;

  std::array<model_atomic<int>, 2> variables;
  std::array<std::array<int, max_operations>, memory_model::max_threads> seen{};

  void thread(unsigned index) override {
    for (unsigned i = 0; i < (*program)[index].size(); ++i)
      seen[index][i] = operate((*program)[index][i]);
  }
  int operate(const litmus_operation& each) {
    model_atomic<int>& on = variables[each.variable];
    int expected = each.expected;
    switch (each.what) {
      case kind::load: return on.load(each.order);
      case kind::store: return on.store(each.value, each.order), nothing_read;
      case kind::add: return on.fetch_add(each.value, each.order);
      case kind::exchange: return on.exchange(each.value, each.order);
      case kind::compare_exchange:
        return on.compare_exchange(expected, each.value, each.order), expected;
      case kind::fence: break;
    }
    return simulated::fence({}), nothing_read;
  }
  void after() override {
    const std::array last{variables[0].load(relaxed), variables[1].load(relaxed)};
    const checker_scope ours;
    litmus_outcome outcome;
    for (unsigned i = 0; i < program->size(); ++i)
      outcome.insert(outcome.end(), seen[i].begin(), seen[i].begin() + (*program)[i].size());
    outcome.insert(outcome.end(), last.begin(), last.end());
    outcomes->insert(std::move(outcome));
  }
};

std::set<litmus_outcome> outcomes_by_explorer(const litmus_program& program) {
  std::set<litmus_outcome> outcomes;
  litmus_run::program = &program;
  litmus_run::outcomes = &outcomes;
  const auto build = [](void* place) -> scenario_steps* { return ::new (place) litmus_run; };
  EXPECT_EQ(search(build, static_cast<unsigned>(program.size())).end, search_end::complete);
  return outcomes;
}

std::string difference(const std::set<litmus_outcome>& here,
                       const std::set<litmus_outcome>& there) {
  std::vector<litmus_outcome> only_here;
  std::set_difference(here.begin(), here.end(), there.begin(), there.end(),
                      std::back_inserter(only_here));
  return ::testing::PrintToString(only_here);
}

/// What the comparison of many programs came to.
struct tally {
  std::uint64_t programs = 0;
  std::uint64_t outcomes = 0;
};

::testing::AssertionResult agrees(const litmus_program& program, tally& sum) {
  const auto shown = outcomes_by_explorer(program);
  const auto allowed = outcomes_by_axioms(program);
  ++sum.programs;
  sum.outcomes += shown.size();
  if (shown == allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << program << "allowed, not shown: " << difference(allowed, shown)
         << "\nshown, not allowed: " << difference(shown, allowed);
}

litmus_operation random_operation(filch::base::split_mix64& draw) {
  constexpr std::array loads{relaxed, acquire, seq_cst};
  constexpr std::array stores{relaxed, release, seq_cst};
  constexpr std::array updates{relaxed, acquire, release, acq_rel, seq_cst, seq_cst};
  constexpr std::array kinds{kind::load,  kind::load,     kind::load,
                             kind::store, kind::store,    kind::store,
                             kind::add,   kind::exchange, kind::compare_exchange,
                             kind::fence};
  litmus_operation drawn{kinds[draw() % kinds.size()]};
  drawn.variable = draw() % 2;
  drawn.value = static_cast<int>(draw() % 3) + 1;
  drawn.expected = static_cast<int>(draw() % 2);
  drawn.order = drawn.what == kind::load    ? loads[draw() % 3]
                : drawn.what == kind::store ? stores[draw() % 3]
                                            : updates[draw() % 6];
  return drawn;
}

void compare_random_programs(unsigned thread_count, unsigned operation_count,
                             std::uint64_t program_count) {
  tally sum;
  program_count = filch::base::long_count(program_count, 50 * program_count);
  for (std::uint64_t seed = 0; seed < program_count; ++seed) {
    filch::base::split_mix64 draw{seed};
    litmus_program program(thread_count);
    for (auto& thread : program)
      std::generate_n(std::back_inserter(thread), operation_count,
                      [&] { return random_operation(draw); });
    ASSERT_TRUE(agrees(program, sum)) << "seed " << seed;
  }
  EXPECT_GT(sum.outcomes, 2 * sum.programs) << "the programs are too tame";
  std::cout << R"(evidence: {"kind": "explorer", "name": "axioms)" << thread_count << 'x'
            << operation_count << R"(", "programs": )" << sum.programs << R"(, "outcomes": )"
            << sum.outcomes << "}\n";
}

/// A litmus test of the literature: one outcome, and whether C++20 allows it.
struct known_litmus {
  const char* name;
  litmus_program program;
  litmus_outcome outcome;
  bool is_allowed;
};

litmus_operation load(unsigned variable, memory_order order) {
  return {kind::load, variable, order};
}
litmus_operation store(unsigned variable, int value, memory_order order) {
  return {kind::store, variable, order, value};
}
litmus_operation add(unsigned variable, int value, memory_order order) {
  return {kind::add, variable, order, value};
}
constexpr litmus_operation fence{kind::fence};
constexpr unsigned x = 0, y = 1;
constexpr int none = nothing_read;

std::vector<known_litmus> litmus_tests_of_two_threads() {
  const auto buffering = [](memory_order stores, memory_order loads) -> litmus_program {
    return {{store(x, 1, stores), load(y, loads)}, {store(y, 1, stores), load(x, loads)}};
  };
  const auto passing = [](memory_order stores, memory_order loads) -> litmus_program {
    return {{store(x, 1, relaxed), store(y, 1, stores)}, {load(y, loads), load(x, relaxed)}};
  };
  const auto crossing = [](memory_order stores) -> litmus_program {
    return {{store(x, 1, stores), store(y, 2, stores)}, {store(y, 1, stores), store(x, 2, stores)}};
  };
  return {
      {"SB, release and acquire", buffering(release, acquire), {none, 0, none, 0, 1, 1}, true},
      {"SB, seq_cst", buffering(seq_cst, seq_cst), {none, 0, none, 0, 1, 1}, false},
      {"SB, fences",
       {{store(x, 1, relaxed), fence, load(y, relaxed)},
        {store(y, 1, relaxed), fence, load(x, relaxed)}},
       {none, none, 0, none, none, 0, 1, 1},
       false},
      {"MP, release only", passing(release, relaxed), {none, none, 1, 0, 1, 1}, true},
      {"MP, release and acquire", passing(release, acquire), {none, none, 1, 0, 1, 1}, false},
      {"MP, an update between",
       {{store(x, 1, relaxed), store(y, 1, release)},
        {add(y, 1, relaxed)},
        {load(y, acquire), load(x, relaxed)}},
       {none, none, 1, 2, 0, 1, 2},
       false},
      {"MP, overwritten (C++20)",
       {{store(x, 1, relaxed), store(y, 1, release), store(y, 2, relaxed)},
        {load(y, acquire), load(x, relaxed)}},
       {none, none, none, 2, 0, 1, 2},
       true},
      {"2+2W, release", crossing(release), {none, none, none, none, 1, 1}, true},
      {"2+2W, seq_cst", crossing(seq_cst), {none, none, none, none, 1, 1}, false},
      {"CoRR",
       {{store(x, 1, relaxed)}, {load(x, relaxed), load(x, relaxed)}},
       {none, 1, 0, 1, 0},
       false},
      {"R, a relaxed store under fences",
       {{store(x, 1, relaxed), fence, store(y, 1, relaxed)},
        {store(y, 2, relaxed), fence, load(x, relaxed)}},
       {none, none, none, none, none, 0, 1, 2},
       false},
      {"LB",
       {{load(x, relaxed), store(y, 1, relaxed)}, {load(y, relaxed), store(x, 1, relaxed)}},
       {1, none, 1, none, 1, 1},
       false},
  };
}

std::vector<known_litmus> litmus_tests_of_more_threads() {
  const auto independent = [](memory_order stores, memory_order loads) -> litmus_program {
    return {{store(x, 1, stores)},
            {store(y, 1, stores)},
            {load(x, loads), load(y, loads)},
            {load(y, loads), load(x, loads)}};
  };
  return {
      {"IRIW, release and acquire",
       independent(release, acquire),
       {none, none, 1, 0, 1, 0, 1, 1},
       true},
      {"IRIW, seq_cst", independent(seq_cst, seq_cst), {none, none, 1, 0, 1, 0, 1, 1}, false},
      {"IRIW, fences between loads (P0668)",
       {{store(x, 1, relaxed)},
        {store(y, 1, relaxed)},
        {load(x, relaxed), fence, load(y, relaxed)},
        {load(y, relaxed), fence, load(x, relaxed)}},
       {none, none, 1, none, 0, 1, none, 0, 1, 1},
       false},
      {"WRC, passed on by release",
       {{store(x, 1, relaxed)},
        {load(x, acquire), store(y, 1, release)},
        {load(y, acquire), load(x, relaxed)}},
       {none, 1, none, 1, 0, 1, 1},
       false},
      {"RWC with fences (P0668)",
       {{store(x, 1, relaxed)},
        {load(x, acquire), fence, load(y, relaxed)},
        {store(y, 1, relaxed), fence, load(x, relaxed)}},
       {none, 1, none, 0, none, none, 0, 1, 1},
       false},
  };
}

/// The order of all need not be an order of execution: ARM does the first, POWER the second
/// (P0668).
std::vector<known_litmus> litmus_tests_against_execution() {
  return {
      {"MP from a seq_cst store",
       {{store(x, 1, seq_cst), store(y, 1, relaxed)}, {load(y, seq_cst), load(x, seq_cst)}},
       {none, none, 1, 0, 1, 1},
       true},
      {"Z6.U",
       {{store(x, 1, seq_cst), store(y, 1, release)},
        {add(y, 1, seq_cst), load(y, relaxed)},
        {store(y, 3, seq_cst), load(x, seq_cst)}},
       {none, none, 1, 3, none, 0, 1, 3},
       true},
  };
}

void judge(const std::vector<known_litmus>& tests) {
  for (const known_litmus& each : tests) {
    EXPECT_EQ(outcomes_by_axioms(each.program).count(each.outcome), each.is_allowed) << each.name;
    EXPECT_EQ(outcomes_by_explorer(each.program).count(each.outcome), each.is_allowed) << each.name;
  }
}

}  // namespace

TEST(axioms, judge_the_litmus_tests_of_the_literature) {
  judge(litmus_tests_of_two_threads());
  judge(litmus_tests_of_more_threads());
}
TEST(axioms, allow_an_order_of_all_against_execution) { judge(litmus_tests_against_execution()); }
TEST(axioms, and_the_explorer_agree_on_two_threads_of_two) { compare_random_programs(2, 2, 4000); }
TEST(axioms, and_the_explorer_agree_on_two_threads_of_three) {
  compare_random_programs(2, 3, 2000);
}
TEST(axioms, and_the_explorer_agree_on_two_threads_of_four) { compare_random_programs(2, 4, 200); }
TEST(axioms, and_the_explorer_agree_on_three_threads_of_two) { compare_random_programs(3, 2, 800); }
TEST(axioms, and_the_explorer_agree_on_three_threads_of_three) {
  compare_random_programs(3, 3, 20);
}
TEST(axioms, and_the_explorer_agree_on_four_threads_of_two) { compare_random_programs(4, 2, 40); }
