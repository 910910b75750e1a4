#include <filch/span/budget.hpp>

#include <filch/base/panic.hpp>

#include <numeric>

namespace filch::inline v0_2::span {

double budget::share(use what) const noexcept {
  return total_ns() == 0 ? 0.0
                         : static_cast<double>((*this)[what]) / static_cast<double>(total_ns());
}

std::int64_t budget::work_ns() const noexcept {
  return (*this)[use::working] + (*this)[use::forking];
}

double budget::delayed_share() const noexcept {
  const auto delayed = static_cast<double>((*this)[use::run_delay]);
  const double in_jobs = delayed + static_cast<double>(work_ns());
  return in_jobs > 0 ? delayed / in_jobs : 0;
}

std::int64_t budget::idle_ns() const noexcept {
  const budget& b = *this;
  return b[use::stealing] + b[use::searching] + b[use::neglected] + b[use::starved];
}

// A parked or absent holder is between its last record and the freeing of the slot.
use use_of(state holder) noexcept {
  switch (holder) {
    case state::working: return use::working;
    case state::stealing: return use::stealing;
    case state::searching: return use::searching;
    case state::waiting: return use::waiting;
    case state::blocked:
    case state::suspended:
    case state::parked:
    case state::away: return use::blocked;
    case state::unknown: break;
  }
  return use::unknown;
}

budget account_of(const timeline& from, time_range when) {
  budget made{overlap(when, {0, from.length_ns}), from.slot_count, {}};
  for (const interval& whole : from.intervals) {
    if (!whole.holds_slot()) continue;
    const interval part = cut(whole, made.when);
    made[use_of(part.what)] += part.left_ns();
    made[use::forking] += part.forking_ns;
    made[use::run_delay] += part.run_delay_ns;
    made[use::blocked] += part.slept_ns;
  }
  for (const vacancy& whole : from.vacancies) {
    const vacancy part = cut(whole, made.when);
    const std::int64_t length = part.when.length_ns();
    made[use::neglected] += length * (part.neglected + part.woken_for);
    made[use::starved] += length * part.starved;
    made[use::unknown] += length * part.unknown;
  }
  const std::int64_t sum =
      std::accumulate(made.spent_ns.begin(), made.spent_ns.end(), std::int64_t{0});
  FILCH_ASSERT(sum == made.total_ns(), "every nanosecond of every slot has one use", sum,
               made.total_ns(), made.slot_count);
  return made;
}

budget account_of(const timeline& from) { return account_of(from, {0, from.length_ns}); }

std::vector<worker_account> accounts_of_workers(const timeline& from, std::size_t worker_count,
                                                time_range when) {
  std::vector<worker_account> made(worker_count);
  std::vector<std::int64_t> sums(worker_count);
  const time_range limits = overlap(when, {0, from.length_ns});
  for (const interval& whole : from.intervals) {
    const interval part = cut(whole, limits);
    worker_account& who = made[part.worker];
    who.when = limits;
    who.spent_ns[static_cast<std::size_t>(part.what)] += part.left_ns();
    who.run_delay_ns += part.run_delay_ns;
    who.slept_ns += part.slept_ns;
    who.forking_ns += part.forking_ns;
    sums[part.worker] += part.when.length_ns();
  }
  for (std::size_t i = 0; i < worker_count; ++i) {
    FILCH_ASSERT(sums[i] == made[i].when.length_ns(), "a worker is in one state at a time", i,
                 sums[i]);
  }
  return made;
}

}  // namespace filch::span
