#include <filch/co/sync/selection.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/rng.hpp>
#include <filch/base/simulation.hpp>
#include <filch/sched/worker/worker.hpp>

#include <algorithm>
#include <functional>
#include <span>

namespace filch::inline v0_2::co::sync {

std::size_t draw_below(std::size_t n) noexcept {
  if (const base::simulation* const sim = base::current_simulation())
    return base::split_mix64{sim->seed}() % n;
  const std::uint64_t number = sched::is_outside() ? base::split_mix64{base::ticks()}()
                                                   : sched::current_worker().random_number();
  return number % n;
}

selection::selection(wait_node& whole, wait_node* const* cases, base::mutex** locks,
                     std::size_t count) noexcept
    : whole_{whole},
      cases_{cases},
      cases_end_{cases + count},
      locks_{locks},
      locks_end_{locks + count} {
  std::transform(cases_, cases_end_, locks_, [](const wait_node* each) { return &each->lock(); });
  std::sort(locks_, locks_end_, std::less<>{});
  locks_end_ = std::unique(locks_, locks_end_);
  whole.among = &choice_;
}

void selection::lock() noexcept {
  for (base::mutex* each : std::span{locks_, locks_end_}) each->lock();
}
void selection::unlock() noexcept {
  for (base::mutex* each : std::span{locks_, locks_end_}) each->unlock();
}

void selection::join_cases() noexcept {
  for (wait_node* each : std::span{cases_, cases_end_}) {
    FILCH_ASSERT(each->among == nullptr, "an operation stands in one select, and once", each);
    each->at = wait_link::state::fresh;
    each->among = &choice_;
    each->is_part_of(&whole_);
  }
}

void selection::part_cases() noexcept {
  for (wait_node* each : std::span{cases_, cases_end_}) {
    each->withdraw();
    each->among = nullptr;
    each->is_part_of(nullptr);
  }
}

}  // namespace filch::co::sync
