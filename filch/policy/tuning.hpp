#pragma once
// The table of what the scheduler adapts while it runs, and one class a row that adapts it.
#include <filch/policy/adaptive.hpp>
#include <filch/policy/cost.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#if defined(FILCH_ABLATION)
#include <cstdlib>
#endif

namespace filch::inline v0_2::policy {

/// `Bench:` names the problem of `bench/`, with its options, that has to show what the row is for.
/// `bench/ablate.py` switches off each in turn, prints what that costs, and names the rows that
/// show nothing.
enum class row : unsigned char {
  /// A thief that steals only tiny jobs, or none, stays away for a while (`thief_tuning`).
  /// Bench: tree_sum --size 1000 --case balanced
  steal_budget,
  /// A search that has found nothing lately is short (`thief_tuning::search_us`).
  /// Bench: idle --case trickle --size 3 (core_percent)
  search_interval,
  /// A thief pauses between two small jobs of a ready queue (`ready_steal_backoff`).
  /// Bench: spawn
  ready_steal_backoff,
  /// The only job of a ready queue is left to its owner for a moment.
  /// Bench: async_mutex --case held
  single_item_delay,
  /// An owner exposes its oldest private job before a thief has asked (`eager_exposure`).
  /// Bench: heat
  eager_exposure,
  /// The backup poller looks ever more rarely while the active poller comes back (`poll_interval`).
  /// Bench: echo
  poll_interval,
  /// The driver leaves due timers to busy workers that take them (`timer_backoff`).
  /// Bench: sleeps
  timer_backoff,
  /// A busy worker looks at its timers only after several short jobs (`check_interval`).
  /// Bench: sleeps
  check_interval,
  /// A poll of the event source ends with its first event while events come one by one.
  /// Bench: echo
  single_arrivals,
};

#if defined(FILCH_ABLATION)
/// A mask of the rows that are off, for `bench/ablate.py`.
inline const unsigned long rows_off = [] {
  const char* const given = std::getenv("FILCH_ABLATE");
  return given == nullptr ? 0UL : std::strtoul(given, nullptr, 0);
}();
constexpr bool is_on(row which) noexcept {
  if (std::is_constant_evaluated()) return true;
  return ((rows_off >> static_cast<unsigned>(which)) & 1) == 0;
}
#else
constexpr bool is_on(row) noexcept { return true; }
#endif

/// How long an owner may leave a request unanswered before the thief exposes its forks by force. An
/// owner answers at its next fork or join, so silence means a long leaf.
inline constexpr std::uint64_t request_timeout_us = 20;

/// For so long after an event was taken there is a backup poller.
inline constexpr std::uint64_t busy_source_us = 2000;

/// How long a thief searches, when it gives up, and how long it then parks.
///
/// A fork tree of a microsecond can be stolen from, but its owner would be done sooner alone. So a
/// thief has a budget of steals that brought next to nothing; steals that brought work refill it. A
/// thief without a budget parks, longer each time. If an owner was stuck meanwhile, in a leaf that
/// waits for another job, the thief was wrong to leave, and gets a larger budget from then on.
class thief_tuning {
 public:
  /// In microseconds. A longer search would cost more than a wake.
  using search_interval = adaptive_interval<2, cost::wake / 1000>;
  /// In microseconds. The longest bounds the delay of a fork whose owner then never pauses.
  using park_interval = adaptive_interval<50, 2000>;
  using steals = adaptive_interval<64, 4096>;
  /// A stolen job that took so long paid for a wake: the thief parks briefly at first.
  static constexpr std::uint64_t worthwhile_us = cost::wake / 2000;

  /// A stolen fork took so long.
  constexpr void ran_fork(std::uint64_t us) noexcept {
    if (us < cost::steal_fork / 1000) {
      --budget_;
      return;
    }
    budget_ = (std::min)((std::max)(budget_, 0) + as_budget((std::min)(us, steals::max)),
                         as_budget(limit_.value()));
    found_work();
    if (us >= worthwhile_us) park_.reset();
  }
  /// The thief found something to do. Nothing says whether another worker would have done it
  /// better.
  constexpr void found_work() noexcept { search_.grow(); }
  /// A request was answered, and another thief took the answer.
  constexpr void came_too_late() noexcept { budget_ -= 4; }
  constexpr void searched_in_vain() noexcept { search_.shrink(); }
  /// An owner did not answer while the thief was away: its forks could be taken only by force.
  constexpr void owner_was_stuck() noexcept {
    limit_.grow(4);
    budget_ = as_budget(limit_.value());
    park_.reset();
  }
  /// How long the next search may take: spinning pays while it finds something.
  constexpr std::uint64_t search_us() const noexcept {
    return is_on(row::search_interval) ? search_.value() : search_interval::max;
  }
  constexpr bool is_spent() const noexcept { return budget_ <= 0 && is_on(row::steal_budget); }
  /// Sleep restores some of the budget.
  constexpr void rest() noexcept { budget_ = (std::max)(budget_, 2); }
  /// How long to park now.
  constexpr std::uint64_t next_park_us() noexcept {
    limit_.shrink();
    const std::uint64_t now = park_.value();
    park_.grow();
    return now;
  }

 private:
  static constexpr int as_budget(std::uint64_t steals) noexcept { return static_cast<int>(steals); }

  steals limit_;
  int budget_ = as_budget(steals::min);
  park_interval park_;
  search_interval search_{search_interval::max};
};

static_assert(thief_tuning::park_interval::max * 1000 < 7'000'000,
              "two 50 ms leaves must end within 57 ms");

/// How long a thief leaves ready queues alone: not at all, unless the jobs that it took from them
/// lately were too small.
///
/// The owner would have run such a job sooner than a thief can fetch it. The thief cannot know
/// whether the next job is as small, so it never leaves, but pauses between two jobs, longer each
/// time.
///
/// The length of a job says nothing if jobs want the same cache lines, as those that take turns at
/// a lock: each waits for the lines once it is stolen, and looks long. Such an owner has one job in
/// its queue, the next. So a thief leaves the only job of a queue to its owner for a moment.
class ready_steal_backoff {
 public:
  /// In nanoseconds. The longest is how soon a thief sees that an owner is stuck.
  using pause = adaptive_interval<500, 16'000>;
  /// For so long the only job of a queue is left to its owner.
  static constexpr std::uint64_t single_item_ns = cost::steal_ready;

  constexpr ready_steal_backoff() noexcept { pause_.turn_off(); }
  /// A job taken from a ready queue took so long.
  constexpr void ran_job(std::uint64_t ns) noexcept {
    ns >= cost::steal_ready ? pause_.turn_off() : pause_.grow();
  }
  /// The owner took the job within a moment, or the thief found nothing to do in it.
  constexpr void was_not_needed() noexcept { pause_.grow(); }
  /// Since the steal, other workers took `count` of the `left` jobs that stayed behind, in so many
  /// ns. If that is slower than stealing, the owner is stuck or preempted: with a pause before each
  /// of them the last job would run late.
  constexpr void others_took(std::uint64_t count, std::uint64_t left, std::uint64_t ns) noexcept {
    if (count < left && count * cost::steal_ready < ns) pause_.turn_off();
  }
  /// How long to wait from the end of that job on, and from a look that found nothing: a look moves
  /// the cache lines that the owner writes, too.
  constexpr std::uint64_t pause_ns() const noexcept {
    return is_on(row::ready_steal_backoff) ? pause_.value() : 0;
  }

 private:
  pause pause_;
};

static_assert(ready_steal_backoff::pause::max + 2 * ready_steal_backoff::single_item_ns <
                  request_timeout_us * 1000,
              "a ready job waits for no longer than a fork that its owner does not expose");

/// Whether an owner exposes its oldest private job before a thief has asked. A thief that comes
/// back finds it there. Otherwise the thief waits for an answer, which comes at the owner's next
/// fork, or exposes by force, which takes 50 us if processors are virtual.
///
/// It pays if jobs are long. If they are short, a thief had better look elsewhere.
class eager_exposure {
 public:
  /// Between two exposures, in microseconds: each costs 100 ns, half a percent.
  static constexpr std::uint64_t least_us = cost::wake / 2000;
  /// A guess: what a tree of 256 leaves makes.
  using in_vain = streak<8>;

  /// A stolen job took, or has been away for, `us`. Returns whether to expose the next.
  constexpr bool thieves_came(std::uint64_t us) noexcept {
    if (us < least_us || !is_on(row::eager_exposure)) return false;
    in_vain_.end();
    return true;
  }
  /// The owner has taken back what was public, for `us`. Returns whether to expose another.
  constexpr bool no_thief_came(std::uint64_t us) noexcept {
    return us >= least_us && in_vain_.extend();
  }
  /// `no_thief_came` returns false.
  constexpr bool is_over() const noexcept { return in_vain_.is_full(); }

  constexpr eager_exposure() noexcept { in_vain_.fill(); }

 private:
  in_vain in_vain_;
};

/// Whether a thread that has waited for other jobs so long gives its slot away and sleeps. If other
/// work could use the slot, it does so as soon as a hand-over would have been done. Otherwise it
/// would be woken into the same slot: it sleeps after as long as a wake takes, which is at most
/// twice the time and work of an oracle that knows how long the wait will be.
/// Source: Karlin, Manasse, McGeoch and Owicki, "Competitive randomized algorithms for nonuniform
/// problems", Algorithmica 11 (1994): spinning and blocking.
constexpr bool gives_slot_away(std::uint64_t waited_ns, bool work_waits) noexcept {
  return waited_ns > (work_waits ? cost::hand_over : cost::wake);
}

/// For how long a worker that has taken an event counts as the active poller, and so how long the
/// backup poller parks between two looks. Each look takes a processor from the worker or from the
/// sender of events. Looks get rarer while the active poller comes back in time.
class poll_interval {
 public:
  /// In microseconds. The longest delays an event behind the first long job by no more than a fork
  /// waits for a parked thief.
  using interval = adaptive_interval<200, 1600>;

  constexpr void came_back() noexcept { interval_.grow(); }
  constexpr void stayed_away() noexcept { interval_.reset(); }
  constexpr std::uint64_t us() const noexcept {
    return is_on(row::poll_interval) ? interval_.value() : interval::min;
  }

 private:
  interval interval_;
};

static_assert(poll_interval::interval::max <= thief_tuning::park_interval::max,
              "an event waits for no longer than a private fork");
static_assert(poll_interval::interval::max < busy_source_us,
              "there is a backup poller as long as a worker counts as the active one");

/// When the driver looks at a due timer while all workers are busy. They look at timers between two
/// jobs, at least every 20 us.
///
/// The driver looks when the first timer is due, and runs it if it is still there a moment
/// later. If it finds another timer instead that is due, or about to be, the workers get on by
/// themselves: the driver would only take a processor from them, and looks ever more rarely.
class timer_backoff {
 public:
  static constexpr std::uint64_t moment_ns = 50'000;
  using interval = adaptive_interval<moment_ns, 8 * moment_ns>;

  constexpr timer_backoff() noexcept { length_.turn_off(); }
  /// When to look if nothing changes: the first of all timers is due at `first_ns`.
  constexpr std::uint64_t looks_at(std::uint64_t first_ns, std::uint64_t now_ns) noexcept {
    if (!is_on(row::timer_backoff)) return first_ns;
    if (first_ns != first_ns_) {
      const bool others_get_on = first_ns_ <= now_ns && first_ns < now_ns + moment_ns;
      others_get_on ? length_.grow() : length_.turn_off();
      since_ns_ = (std::max)(first_ns, now_ns);
      first_ns_ = first_ns;
    }
    return since_ns_ + length_.value();
  }

 private:
  std::uint64_t first_ns_ = ~std::uint64_t{0};  ///< As the driver saw it last.
  std::uint64_t since_ns_ = 0;                  ///< Since then that one was due, and the first.
  interval length_;
};

/// After how many jobs a busy worker looks at its timers, in a pool that has some. A look costs
/// some 25 ns, half of a very small job. So it looks after each job while these are long, and after
/// every 16th while looks come less than `often_ns` after each other. The processor's counter is
/// cheaper than a look, and notices that jobs have become long.
class check_interval {
 public:
  using jobs = adaptive_interval<1, 16>;
  static constexpr std::uint64_t often_ns = 2'000;

  /// A job begins. Returns whether to look: it is its turn, or the last look was `timeout` ticks
  /// ago. Calls `ticks()` between turns only.
  template <class Ticks>
  constexpr bool is_time(Ticks&& ticks, std::uint64_t timeout) noexcept {
    return --jobs_left_ == 0 || ticks() - looked_ticks_ > timeout;
  }
  /// A timer was due. There may be more, so the next job is a turn, too. Every sixteenth is not:
  /// it is left to what is not due.
  constexpr void found_one() noexcept { jobs_left_ = ++found_ % jobs::max == 0 ? 2 : 1; }
  constexpr void looked(std::uint64_t now_ns, std::uint64_t now_ticks) noexcept {
    const bool is_often = now_ns - looked_ns_ < often_ns && is_on(row::check_interval);
    is_often ? jobs_.grow() : jobs_.reset();
    jobs_left_ = jobs_.value();
    looked_ns_ = now_ns;
    looked_ticks_ = now_ticks;
  }

 private:
  jobs jobs_;
  std::uint64_t jobs_left_ = 1;
  unsigned found_ = 0;
  std::uint64_t looked_ns_ = 0;
  std::uint64_t looked_ticks_ = 0;
};

/// Whether the first event that a poll of the source finds is taken for the only one.
///
/// A reactor says that there are no more events only when it is asked again, by a system call that
/// takes as long as the event. While each poll finds one event, polls end with that. Now and then
/// one goes on to the end, to see whether this is still so.
class single_arrivals {
 public:
  /// So many whole polls have found one event each; then so many go by until the next whole one.
  static constexpr int in_a_row = 16;

  constexpr bool are_usual() const noexcept {
    return polls_ >= in_a_row && is_on(row::single_arrivals);
  }
  /// How many events a poll has run, together with the sleep before it. 0 says nothing.
  constexpr void came(int count) noexcept {
    if (count > 1) polls_ = 0;
    if (count == 1 && ++polls_ == 2 * in_a_row) polls_ = in_a_row - 1;
  }

 private:
  int polls_ = 0;  ///< In a row, of one event each.
};

}  // namespace filch::policy
