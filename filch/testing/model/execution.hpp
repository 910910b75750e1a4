#pragma once
// One simulated execution of a scenario at a time: its threads as fibers, its memory, and the
// choices so far.
#include <filch/base/cache_line.hpp>
#include <filch/testing/model/choices.hpp>
#include <filch/testing/model/fiber.hpp>
#include <filch/testing/model/search.hpp>
#include <filch/testing/model/state_set.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace filch::inline v0_2::testing {

class execution final : public oracle {
 public:
  execution(scenario_builder build, unsigned thread_count, search_limits limits);

  enum class outcome : unsigned char { finished, met_before, broken };
  /// Runs the execution that `choices` describes: to its end, to a state that was reached before,
  /// or until it breaks.
  outcome run();
  /// The same again, with its history.
  std::string repeat_with_history();

  choice_tree choices;
  state_set states;
  bool left_out_a_preemption = false;

  // -----------------------------------------------------------------------------------------------
  // called by simulated code
  memory_model memory{*this};
  unsigned running() const noexcept { return running_; }
  /// Before each step: any thread may take its step first.
  void reach(const code_place& place);
  void reach_lock(memory_model::location mutex, const code_place& place);
  void fall_asleep(memory_model::location word);
  void wake_one(memory_model::location word);
  /// After each step.
  void took_step();
  void stand_at(const code_place& place) { place_ = place; }
  bool allocation_fails();
  unsigned pick(unsigned option_count) override { return choices.pick(option_count); }
  void fail(const char* finding) override;

 private:
  enum class condition : unsigned char { ready, wants_lock, sleeps, finished };
  struct simulated_thread {
    fiber stack;
    condition state = condition::ready;
    memory_model::location waits_at = 0;
    unsigned spurious_wake_count = 0;
  };

  /// Events of a thread that are no operation of the memory.
  enum class happening : std::uint64_t {
    sleeps,
    woke_without_cause,
    was_woken,
    is_up,
    finds_memory,
    finds_no_memory
  };
  void note(happening what) { memory.note(running_, static_cast<std::uint64_t>(what)); }

  void restart();
  void build_scenario();
  void begin_threads();
  void look_afterwards();
  static void run_thread(void* self);
  void choose_thread();
  bool can_run(const simulated_thread& each) const;
  void switch_to(unsigned next);
  void come_to_state();
  [[noreturn]] void end_for_good();
  [[noreturn]] void leave();
  void say(const std::string& line);

  /// The thread of `memory` that builds the scenario; the scenario's thread i is i + 1 there.
  static constexpr unsigned builder = 0;

  scenario_builder build_;
  unsigned thread_count_;
  search_limits limits_;

  std::array<simulated_thread, memory_model::max_threads> threads_;
  std::array<std::byte, scenario_bytes + base::cache_line_bytes> room_;
  scenario_steps* scenario_ = nullptr;
  std::jmp_buf main_;
  unsigned running_ = builder;
  unsigned preemption_count_ = 0;
  unsigned step_count_ = 0;
  outcome outcome_ = outcome::finished;
  bool is_beginning_ = false;
  bool keeps_history_ = false;
  std::string history_;
  const char* finding_ = "";
  code_place place_{"", "", 0};
};

}  // namespace filch::testing
