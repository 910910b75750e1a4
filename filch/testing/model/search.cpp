// The functions that simulated code calls, and the search that runs it.
#include <filch/testing/model/search.hpp>

#include <filch/testing/model/execution.hpp>
#include <filch/testing/model/heap.hpp>

#include <type_traits>

namespace filch::inline v0_2::testing {

namespace {

execution* current = nullptr;  // the one that simulated code belongs to

search_end end_of(const execution& whole, execution::outcome last, const search_limits& limits) {
  if (last == execution::outcome::broken) return search_end::broken;
  if (whole.states.size() >= limits.states) return search_end::out_of_states;
  return whole.left_out_a_preemption ? search_end::out_of_preemptions : search_end::complete;
}

search_result run_all(execution& whole, const search_limits& limits) {
  search_result result;
  execution::outcome last;
  do {
    ++result.execution_count;
    last = whole.run();
  } while (last != execution::outcome::broken && whole.states.size() < limits.states &&
           whole.choices.advance());
  result.end = end_of(whole, last, limits);
  result.state_count = whole.states.size();
  if (result.end == search_end::broken) result.history = whole.repeat_with_history();
  return result;
}

}  // namespace

search_result search(scenario_builder build, unsigned thread_count, search_limits limits) {
  FILCH_ASSERT(current == nullptr, "one search at a time", current);
  execution whole{build, thread_count, limits};
  current = &whole;
  allocation_fails = [] { return current->allocation_fails(); };
  double_free_found = [] {
    const checker_scope checker;
    current->fail("a block is freed twice");
  };
  search_result result = run_all(whole, limits);
  current = nullptr;
  return result;
}

// -------------------------------------------------------------------------------------------------
// simulated code
namespace simulated {

// One step of the running thread, wherever it may be scheduled.
template <class Step>
auto step(const code_place& place, Step&& taken) {
  const checker_scope checker;
  current->reach(place);
  if constexpr (std::is_void_v<decltype(taken(current->running()))>) {
    taken(current->running());
    current->took_step();
  } else {
    const auto result = taken(current->running());
    current->took_step();
    return result;
  }
}

memory_model::location create(std::uint64_t value) {
  const checker_scope checker;
  return current->memory.create(current->running(), value);
}

void destroy(memory_model::location at, const code_place& place) {
  const checker_scope checker;
  current->stand_at(place);
  current->memory.destroy(current->running(), at);
}

std::uint64_t load(memory_model::location at, std::memory_order order, const code_place& place) {
  return step(place, [&](unsigned by) { return current->memory.load(by, at, order); });
}

void store(memory_model::location at, std::uint64_t value, std::memory_order order,
           const code_place& place) {
  step(place, [&](unsigned by) { current->memory.store(by, at, value, order); });
}

std::uint64_t read_modify_write(memory_model::location at, const update& change,
                                std::memory_order order, const code_place& place) {
  return step(
      place, [&](unsigned by) { return current->memory.read_modify_write(by, at, change, order); });
}

void fence(const code_place& place) {
  step(place, [](unsigned by) { current->memory.fence(by); });
}

void fence_everybody(const code_place& place) {
  step(place, [](unsigned by) { current->memory.fence_everybody(by); });
}

void lock(memory_model::location mutex, const code_place& place) {
  const checker_scope checker;
  current->reach_lock(mutex, place);
  current->memory.lock(current->running(), mutex);
  current->took_step();
}

bool try_lock(memory_model::location mutex, const code_place& place) {
  return step(place, [&](unsigned by) { return current->memory.try_lock(by, mutex); });
}

void unlock(memory_model::location mutex, const code_place& place) {
  step(place, [&](unsigned by) { current->memory.unlock(by, mutex); });
}

void wait(memory_model::location word, std::uint64_t expected, const code_place& place) {
  const bool goes_to_sleep =
      step(place, [&](unsigned by) { return current->memory.look_at_futex(by, word) == expected; });
  const checker_scope checker;
  if (goes_to_sleep) current->fall_asleep(word);
}

void wake_one(memory_model::location word, const code_place& place) {
  step(place, [&](unsigned by) {
    current->memory.wake_at_futex(by, word);
    current->wake_one(word);
  });
}

void create_plain(memory_model::footprint& variable) {
  current->memory.create_plain(current->running(), variable);
}

void destroy_plain(memory_model::footprint& variable, const code_place& place) {
  const checker_scope checker;
  current->stand_at(place);
  current->memory.destroy_plain(current->running(), variable);
}

void read_plain(memory_model::footprint& variable, const code_place& place) {
  const checker_scope checker;
  current->stand_at(place);
  current->memory.read_plain(current->running(), variable);
}

void write_plain(memory_model::footprint& variable, const code_place& place) {
  const checker_scope checker;
  current->stand_at(place);
  current->memory.write_plain(current->running(), variable);
}

void expect(bool condition, const char* claim, const code_place& place) {
  if (condition) return;
  const checker_scope checker;
  current->stand_at(place);
  current->fail(claim);
}

unsigned choose(unsigned option_count, const code_place& place) {
  const checker_scope checker;
  current->stand_at(place);
  const unsigned picked = current->pick(option_count);
  current->memory.note(current->running(), picked);
  return picked;
}

}  // namespace simulated

}  // namespace filch::testing
