#pragma once
// Every execution of a scenario under the memory model, by depth-first search over all choices.
// README.md, "The explorer".
#include <filch/testing/model/memory.hpp>
#include <filch/testing/model/scenario.hpp>

#include <cstdint>
#include <string>

namespace filch::inline v0_2::testing {

struct search_limits {
  static constexpr unsigned unbounded = ~0U;
  unsigned preemptions = unbounded;   ///< Switches away from a thread that can run.
  std::uint64_t states = 20'000'000;  ///< 16 bytes each.
  /// Of one execution; a loop that waits for another thread reaches it.
  unsigned steps = 2'000;
  /// False: no execution ends at a state that another one reached; for tests of the search itself.
  bool merges_states = true;
  /// Whether each allocation of a thread may also throw `std::bad_alloc`.
  bool allocations_fail = false;
};

enum class search_end : unsigned char { complete, broken, out_of_preemptions, out_of_states };

struct search_result {
  search_end end = search_end::complete;
  /// Executions begun; most end at a state that was reached before.
  std::uint64_t execution_count = 0;
  std::uint64_t state_count = 0;  ///< Distinct, at points where a thread is chosen.
  /// Of the execution that breaks: the finding, then its steps.
  std::string history;
};

/// Explores the scenario that `build` builds, with threads 0 to `thread_count` - 1, until it breaks
/// or no execution is left.
///
/// Threads: one search at a time in a process; the caller's thread simulates those of the scenario.
search_result search(scenario_builder build, unsigned thread_count, search_limits limits = {});

/// The place of an access in the source, for the history.
struct code_place {
  const char* function;
  const char* file;
  int line;
  code_place(const char* in = __builtin_FUNCTION(), const char* of = __builtin_FILE(),
             int at = __builtin_LINE())
      : function{in}, file{of}, line{at} {}
};

/// The functions that simulated code calls; explorer_sync.hpp wraps them in the names of a Sync
/// policy. Valid only inside a search.
namespace simulated {

memory_model::location create(std::uint64_t value);
void destroy(memory_model::location at, const code_place& place);
std::uint64_t load(memory_model::location at, std::memory_order order, const code_place& place);
void store(memory_model::location at, std::uint64_t value, std::memory_order order,
           const code_place& place);
std::uint64_t read_modify_write(memory_model::location at, const update& change,
                                std::memory_order order, const code_place& place);
void fence(const code_place& place);
void fence_everybody(const code_place& place);
void lock(memory_model::location mutex, const code_place& place);
bool try_lock(memory_model::location mutex, const code_place& place);
void unlock(memory_model::location mutex, const code_place& place);
/// Sleeps while `word` holds `expected`, as the kernel's futex does: until a wake, or spuriously.
void wait(memory_model::location word, std::uint64_t expected, const code_place& place);
/// Wakes one sleeper on `word`: any of them.
void wake_one(memory_model::location word, const code_place& place);

void create_plain(memory_model::footprint& variable);
void destroy_plain(memory_model::footprint& variable, const code_place& place);
void read_plain(memory_model::footprint& variable, const code_place& place);
void write_plain(memory_model::footprint& variable, const code_place& place);

void expect(bool condition, const char* claim, const code_place& place);
/// One of `option_count` values, each explored.
unsigned choose(unsigned option_count, const code_place& place);

}  // namespace simulated

}  // namespace filch::testing
