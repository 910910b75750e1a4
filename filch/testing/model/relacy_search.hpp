#pragma once
// Relacy as a checker of scenarios.
#include <filch/base/cache_line.hpp>
#include <filch/testing/model/relacy_sync.hpp>
#include <filch/testing/model/scenario.hpp>
#include <filch/testing/model/verdict.hpp>

#include <iostream>
#include <memory>
#include <new>

namespace filch::inline v0_2::testing {

inline constexpr checker present_checker = checker::relacy;

/// The test that Relacy runs. There is one for each number of threads, not for each scenario, as
/// Relacy takes seconds to compile one.
template <int Threads>
class relacy_suite : public rl::test_suite<relacy_suite<Threads>, Threads> {
 public:
  static inline scenario_builder build = nullptr;

  relacy_suite() {
    void* place = room_;
    std::size_t bytes = sizeof room_;
    steps_ = build(std::align(base::cache_line_bytes, scenario_bytes, place, bytes));
  }
  ~relacy_suite() { steps_->~scenario_steps(); }
  void thread(unsigned index) { steps_->thread(index); }
  void after() { steps_->after(); }

 private:
  std::byte room_[scenario_bytes + base::cache_line_bytes];
  scenario_steps* steps_;
};

template <class Scenario>
verdict check_by(rl::scheduler_type_e search) {
  using suite = relacy_suite<Scenario::thread_count>;
  static_assert(sizeof(Scenario) <= scenario_bytes && alignof(Scenario) <= base::cache_line_bytes);
  suite::build = [](void* place) -> scenario_steps* { return ::new (place) Scenario; };
  rl::ostringstream output;  // Relacy's own kind: it allocates outside the simulated heap
  std::ostream nowhere{nullptr};
  rl::test_params parameters;
  parameters.output_stream = &output;
  parameters.progress_stream = &nowhere;
  parameters.search_type = search;
  parameters.context_bound = Scenario::context_bound;
  parameters.iteration_count = Scenario::random_execution_count;
  const bool is_sound = rl::simulate<suite>(parameters);
  return {!is_sound, false, parameters.stop_iteration, 0, "", output.str().c_str()};
}

/// Searches exhaustively up to the scenario's context bound, then by its number of random
/// executions.
template <class Scenario>
verdict check(search_goal) {
  const verdict bounded =
      Scenario::context_bound > 0 ? check_by<Scenario>(rl::sched_bound) : verdict{};
  if (bounded.is_broken) return bounded;
  verdict random = check_by<Scenario>(rl::sched_random);
  random.extent = "every execution with " + std::to_string(Scenario::context_bound) +
                  " switches, then " + std::to_string(random.execution_count) + " at random";
  random.execution_count += bounded.execution_count;
  return random;
}

}  // namespace filch::testing
