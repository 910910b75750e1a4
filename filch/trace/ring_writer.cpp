#include <filch/trace/ring_writer.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/thread.hpp>
#include <filch/trace/process_files.hpp>

#include <unistd.h>

namespace filch::inline v0_2::trace {
namespace {

constexpr std::uint64_t ask_every_us = 10'000;
constexpr double shortest_sleep_us = 100;
// A sample takes some 3 us longer than its forks would alone
constexpr std::uint64_t count_forks_every_us = 10'000;
// For each slot, so 25,000 jobs a second of a process on any machine
constexpr std::uint64_t us_a_job = 40;

std::uint64_t held_ticks(const event::counters& of, std::uint64_t now_ticks) noexcept {
  using enum event::activity;
  return event::spent_ticks(of, working, now_ticks) + event::spent_ticks(of, searching, now_ticks) +
         event::spent_ticks(of, waiting, now_ticks);
}

}  // namespace

ring_writer::thread_times ring_writer::thread_times_at(std::uint64_t now_ticks,
                                                       const event::counters& mine) noexcept {
  return {now_ticks, base::now_ns(), base::own_cpu_ns(), held_ticks(mine, now_ticks),
          event::spent_ticks(mine, event::activity::away, now_ticks)};
}

ring_writer::pauses ring_writer::paused(std::uint64_t now_ticks,
                                        const event::counters& mine) noexcept {
  if (seen_begun_ != begun_.load(base::relaxed)) {
    adopt_thread(mine);
    asked_ = {};  // the times at its begin are not known
  }
  if (now_ticks - asked_.ticks < ask_every_us * base::ticks_per_us() && !has_new_thread_) return {};
  has_new_thread_ = false;
  const thread_times before = asked_;
  const kernel_times kernel = times_of(::getpid(), own_thread_id());
  asked_ = thread_times_at(now_ticks, mine);
  const std::uint64_t told_ns = row_->delay_ns.load(base::relaxed);  // our own
  const std::uint64_t delay_us =
      kernel.run_delay_ns > told_ns ? (kernel.run_delay_ns - told_ns) / 1000 : 0;
  tell_delay(told_ns + delay_us * 1000, now_ticks);
  if (before.ticks == 0 || kernel.on_cpu_ns == 0 || asked_.ticks == before.ticks) return {delay_us};

  return pauses_between(before, asked_, delay_us);
}

// The kernel counts all delays of a thread, also those after a sleep without a slot. While it had a
// slot and did not run, it was delayed or asleep. While it ran, it had a slot or was away.
ring_writer::pauses ring_writer::pauses_between(const thread_times& before, const thread_times& now,
                                                std::uint64_t delay_us) noexcept {
  const double us_per_tick = static_cast<double>(now.ns - before.ns) /
                             static_cast<double>(now.ticks - before.ticks) / 1000;
  const double held_us = static_cast<double>(now.held_ticks - before.held_ticks) * us_per_tick;
  const double away_us = static_cast<double>(now.away_ticks - before.away_ticks) * us_per_tick;
  const double ran_us = static_cast<double>(now.on_cpu_ns - before.on_cpu_ns) / 1000;
  const double most_us = std::max(held_us - std::max(ran_us - away_us, 0.0), 0.0);
  const std::uint64_t delayed_us = std::min(delay_us, static_cast<std::uint64_t>(most_us));
  // The clocks are not read at the same instant, and a thread may be interrupted in between.
  const double slept_us = held_us - ran_us - static_cast<double>(delayed_us);
  return {delayed_us, slept_us > shortest_sleep_us ? static_cast<std::uint64_t>(slept_us) : 0};
}

// A reader that sees the new `asked_ticks` sees this `delay_ns`, or a later one.
void ring_writer::tell_delay(std::uint64_t delay_ns, std::uint64_t now_ticks) noexcept {
  row_->delay_ns.store(delay_ns, base::relaxed);
  row_->asked_ticks.store(now_ticks, base::release<edge::change_hands>);
}

void ring_writer::adopt_thread(const event::counters& mine) noexcept {
  const auto thread = static_cast<std::uint64_t>(own_thread_id());
  const std::uint64_t begun = begun_.load(base::relaxed);
  // Then the recorder has set `delay_ns`.
  const bool is_known = row_->thread.load(base::relaxed) == thread;
  if (is_known && seen_begun_ == begun) return;
  seen_begun_ = begun;
  asked_ = thread_times_at(base::ticks(), mine);
  if (!is_known)
    tell_delay(times_of(::getpid(), static_cast<std::int64_t>(thread)).run_delay_ns, asked_.ticks);
  has_new_thread_ = true;
  row_->thread.store(thread, base::relaxed);
}

bool ring_writer::may_tell_again(std::uint64_t now_ticks) noexcept {
  const std::uint64_t begun = begun_.load(base::relaxed);
  if (std::exchange(budget_begun_, begun) != begun) {
    const std::uint64_t slots = std::max<std::uint64_t>(row_->slot_count.load(base::relaxed), 1);
    budget_.begin(now_ticks, us_a_job * slots * base::ticks_per_us(), base::ticks_per_us());
    samples_ = false;
  }
  return budget_.spend() || (budget_.earn(now_ticks) && budget_.spend());
}

void ring_writer::begin_forks() noexcept {
  forks_begun_ = begun_.load(base::relaxed);
  forks_.begin(count_forks_every_us * base::ticks_per_us());
}

void ring_writer::begin_fold(std::uint64_t now_ticks, std::uint64_t said) noexcept {
  folds_ = true;
  fold_ticks_ = now_ticks;
  times_.note(now_ticks);
  held_ = {now_ticks, said};
}

void ring_writer::tell_held() noexcept {
  const item begin = std::exchange(held_, item{});
  put({(std::max)(begin[0], begun_.load(base::relaxed)), begin[1]});
}

std::uint64_t ring_writer::end_fold(std::uint64_t now_ticks, std::uint64_t said) noexcept {
  const std::uint64_t lasted = now_ticks - fold_ticks_;
  times_.note(now_ticks);
  const bool is_of_before = fold_ticks_ < begun_.load(base::relaxed);
  const bool is_told = held_[0] == 0 || (budget_.is_long(lasted) && !is_of_before);
  if (is_told && held_[0] != 0) tell_held();
  drop_fold();
  if (!is_told) return 0;
  put({now_ticks, said});
  return 2;
}

// What the ring held before its present owner belongs to the old one, and is lost.
void ring_writer::keep_chunk(std::uint64_t end) noexcept {
  if (spool_ == nullptr) return;
  const std::uint64_t first = std::max(end - chunk_items_, row_->hold.first());
  spool_->keep(row_->hold.owner(), first, {ring_.place_of(first), 2 * (end - first)});
}

}  // namespace filch::trace
