#include <filch/testing/model/execution.hpp>

#include <filch/base/panic.hpp>
#include <filch/testing/model/hash.hpp>
#include <filch/testing/model/heap.hpp>

#include <limits>
#include <memory>
#include <string_view>

namespace filch::inline v0_2::testing {

execution::execution(scenario_builder build, unsigned thread_count, search_limits limits)
    : build_{build}, thread_count_{thread_count}, limits_{limits} {
  FILCH_ASSERT(thread_count < memory_model::max_threads, "more threads than the memory model has",
               thread_count);
  FILCH_ASSERT(limits.steps < std::numeric_limits<memory_model::epoch>::max() / 2,
               "more steps than the memory model counts", limits.steps);
}

auto execution::run() -> outcome {
  restart();
  build_scenario();
  begin_threads();
  // Two ways back to here: from any fiber by `leave`, or before the first one was entered.
  if (outcome_ == outcome::finished && _setjmp(main_) == 0) choose_thread();
  allocates_simulated = false;
  running_ = builder;
  if (outcome_ == outcome::finished) look_afterwards();
  return outcome_;
}

std::string execution::repeat_with_history() {
  choices.repeat();
  keeps_history_ = true;
  run();
  keeps_history_ = false;
  return finding_ + ("\n" + history_);
}

// -------------------------------------------------------------------------------------------------
// from start to end
void execution::restart() {
  preemption_count_ = 0;
  step_count_ = 0;
  running_ = builder;
  outcome_ = outcome::finished;
  memory.restart();
  restart_heap();
  allocate_for(builder);
}

void execution::build_scenario() {
  void* place = room_.data();
  std::size_t bytes = room_.size();
  std::align(base::cache_line_bytes, scenario_bytes, place, bytes);
  allocates_simulated = true;
  scenario_ = build_(place);
  allocates_simulated = false;
}

// Each thread runs up to its first step, which the others cannot notice.
void execution::begin_threads() {
  is_beginning_ = true;
  for (unsigned i = 1; i <= thread_count_ && outcome_ == outcome::finished; ++i) {
    memory.start(i, builder);
    threads_[i].state = condition::ready;
    threads_[i].spurious_wake_count = 0;
    threads_[i].stack.prepare(&run_thread, this);
    running_ = i;
    allocate_for(i);
    allocates_simulated = true;
    threads_[i].stack.switch_from(main_);
    allocates_simulated = false;
  }
  is_beginning_ = false;
  running_ = builder;
}

void execution::run_thread(void* self) {
  auto& mine = *static_cast<execution*>(self);
  mine.scenario_->thread(mine.running_ - 1);
  allocates_simulated = false;
  mine.threads_[mine.running_].state = condition::finished;
  if (!mine.is_beginning_) mine.choose_thread();
  mine.leave();
}

void execution::look_afterwards() {
  allocate_for(builder);
  for (unsigned i = 1; i <= thread_count_; ++i) memory.join(i, builder);
  allocates_simulated = true;
  scenario_->after();
  if (outcome_ == outcome::finished) scenario_->~scenario_steps();
  allocates_simulated = false;
}

void execution::fail(const char* finding) {
  if (outcome_ == outcome::broken) return;
  outcome_ = outcome::broken;
  finding_ = finding;
  say(std::string{"    ^ "} + finding);
  if (running_ != builder) leave();
}

void execution::leave() { _longjmp(main_, 1); }

// -------------------------------------------------------------------------------------------------
// scheduling
bool execution::can_run(const simulated_thread& each) const {
  if (each.state == condition::wants_lock) return !memory.is_locked(each.waits_at);
  return each.state == condition::ready;
}

void execution::choose_thread() {
  come_to_state();
  std::array<unsigned, memory_model::max_threads> options;
  unsigned option_count = 0;
  const bool could_go_on = running_ != builder && can_run(threads_[running_]);
  if (could_go_on) options[option_count++] = running_;
  const bool may_switch = !could_go_on || preemption_count_ < limits_.preemptions;
  for (unsigned i = 1; i <= thread_count_; ++i) {
    if (i == running_ || !can_run(threads_[i])) continue;
    if (may_switch) options[option_count++] = i;
    left_out_a_preemption |= !may_switch;
  }
  if (option_count == 0) end_for_good();
  const unsigned next = options[pick(option_count)];
  if (next == running_) return;
  preemption_count_ += could_go_on;
  switch_to(next);
}

void execution::switch_to(unsigned next) {
  std::jmp_buf& here = running_ == builder ? main_ : threads_[running_].stack.place();
  running_ = next;
  allocate_for(next);
  threads_[next].stack.switch_from(here);
}

void execution::end_for_good() {
  for (unsigned i = 1; i <= thread_count_; ++i) {
    if (threads_[i].state != condition::finished)
      fail("deadlock: nobody can go on, and a thread waits");
  }
  leave();
}

// If the search has been at this state, it has seen what follows.
void execution::come_to_state() {
  if (!choices.is_new() || keeps_history_ || !limits_.merges_states) return;
  std::uint64_t state = memory.state();
  const bool counts_preemptions = limits_.preemptions != search_limits::unbounded;
  if (counts_preemptions) state = mix(state, running_);
  if (states.meet(state, counts_preemptions ? preemption_count_ : 0)) return;
  outcome_ = outcome::met_before;
  leave();
}

void execution::reach(const code_place& place) {
  if (running_ != builder) {
    is_beginning_ ? threads_[running_].stack.pause(main_) : choose_thread();
    if (++step_count_ > limits_.steps)
      fail("a loop without end, or one longer than the limit of steps");
  }
  stand_at(place);
}

void execution::reach_lock(memory_model::location mutex, const code_place& place) {
  simulated_thread& self = threads_[running_];
  self.waits_at = mutex;
  self.state = condition::wants_lock;
  reach(place);
  self.state = condition::ready;
}

// May wake spuriously at once, as the kernel may. Only a few times, or a loop around it would not
// end.
void execution::fall_asleep(memory_model::location word) {
  constexpr unsigned most_spurious = 2;
  simulated_thread& self = threads_[running_];
  if (self.spurious_wake_count < most_spurious && pick(2) == 1) {
    ++self.spurious_wake_count;
    return note(happening::woke_without_cause);
  }
  self.waits_at = word;
  self.state = condition::sleeps;
  note(happening::sleeps);
  say("  thread " + std::to_string(running_ - 1) + " sleeps at #" + std::to_string(word));
  choose_thread();
  // Note that it runs: otherwise this state equals the one before the choice, which was reached
  note(happening::is_up);
}

void execution::wake_one(memory_model::location word) {
  std::array<unsigned, memory_model::max_threads> sleepers;
  unsigned count = 0;
  for (unsigned i = 1; i <= thread_count_; ++i) {
    if (threads_[i].state == condition::sleeps && threads_[i].waits_at == word)
      sleepers[count++] = i;
  }
  if (count == 0) return;
  const unsigned woken = sleepers[pick(count)];
  threads_[woken].state = condition::ready;
  memory.note(woken, static_cast<std::uint64_t>(happening::was_woken));
}

bool execution::allocation_fails() {
  if (!limits_.allocations_fail || running_ == builder) return false;
  const checker_scope checker;
  const bool fails = pick(2) == 1;
  note(fails ? happening::finds_no_memory : happening::finds_memory);
  return fails;
}

// -------------------------------------------------------------------------------------------------
// histories
void execution::took_step() {
  if (!keeps_history_ || running_ == builder) return;
  const std::string_view file = place_.file;
  say("  thread " + std::to_string(running_ - 1) + " " + memory.last_step() + "  " +
      place_.function + ", " + std::string{file.substr(file.rfind('/') + 1)} + ":" +
      std::to_string(place_.line));
}

void execution::say(const std::string& line) {
  if (keeps_history_) history_ += line + "\n";
}

}  // namespace filch::testing
