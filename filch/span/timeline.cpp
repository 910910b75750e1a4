#include <filch/span/timeline.hpp>

#include <filch/base/panic.hpp>
#include <filch/span/forks.hpp>
#include <filch/span/vacancy_counter.hpp>

#include <algorithm>

namespace filch::inline v0_2::span {
namespace {

using event::kind;
using event::record;

/// The state of one worker while the recording is read.
struct track {
  follower follows;
  interval open;          ///< Its present interval.
  bool is_known = false;  ///< False: its records of this time are lost.
  bool is_woken = false;  ///< A worker woke it, and it has not reported since.
  bool borrows = false;   ///< It works without a slot, and is shown in a free one.
  /// Its intervals with a slot since the last reading of run delay; in jobs, since that of sleep.
  std::vector<std::size_t> held;
  std::vector<std::size_t> worked;
};

class sweep {
 public:
  sweep(const event::recording& from, std::uint32_t pool)
      : from_{from},
        pool_{pool},
        free_{from.pools[pool].slot_count},
        holders_(from.pools[pool].slot_count, nobody),
        tracks_(from.workers.size()) {
    made_.slot_count = from.pools[pool].slot_count;
    made_.length_ns = from.length_ns;
  }

  timeline run() {
    introduce();
    for (const event::entry& each : from_.entries) {
      if (from_.workers[each.worker].pool == pool_) see(each);
    }
    meet_before(from_.length_ns);
    for (std::uint32_t worker = 0; worker < tracks_.size(); ++worker) {
      if (from_.workers[worker].pool == pool_) close(worker, from_.length_ns);
    }
    for (job& each : made_.jobs) {
      if (!each.has_ended) each.when.end_ns = from_.length_ns;
    }
    made_.vacancies = std::move(free_).finish(from_.length_ns);
    return std::move(made_);
  }

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  // At first no worker is known; `unmet_` has them by the time from which each is, the latest
  // first.
  void introduce() {
    for (std::uint32_t worker = 0; worker < tracks_.size(); ++worker) {
      const event::recorded_worker& who = from_.workers[worker];
      if (who.pool != pool_) continue;
      by_index_.resize(std::max<std::size_t>(by_index_.size(), who.index + std::size_t{1}), nobody);
      by_index_[who.index] = worker;
      tracks_[worker].open.worker = worker;
      free_.lose();
      unmet_.push_back(worker);
    }
    std::ranges::sort(unmet_, std::greater{},
                      [this](std::uint32_t w) { return from_.workers[w].complete_from_ns; });
    meet_before(0);
  }

  void meet_before(std::int64_t now_ns) {
    for (; !unmet_.empty() && from_.workers[unmet_.back()].complete_from_ns <= now_ns;
         unmet_.pop_back()) {
      meet(unmet_.back(), from_.workers[unmet_.back()].complete_from_ns);
    }
  }

  /// From `now_ns` on the activity of `worker` is known: away until its first record.
  void meet(std::uint32_t worker, std::int64_t now_ns) {
    if (std::exchange(tracks_[worker].is_known, true)) return;
    free_.advance(std::max<std::int64_t>(now_ns, 0));
    free_.find();
    close(worker, std::max<std::int64_t>(now_ns, 0));
    tracks_[worker].open.what = state::away;
  }

  void see(const event::entry& each) {
    meet_before(each.at_ns);
    meet(each.worker, each.at_ns);
    track& who = tracks_[each.worker];
    free_.advance(each.at_ns);
    note_work(each, who);
    who.follows.see(each, made_.jobs);
    claim(each);
    if (who.open.what != who.follows.what() || who.open.site != who.follows.site()) {
      close(each.worker, each.at_ns);
      who.open.what = who.follows.what();
      who.open.site = who.follows.site();
    }
    lend_slots(each);
    if (each.what.what == kind::run_delayed || each.what.what == kind::slept_in_job)
      carve_out(each);
  }

  // The next taken job may be the one that was seen, so a look holds until then, or until the next
  // look.
  void note_work(const event::entry& each, track& who) {
    if (std::exchange(who.is_woken, false)) free_.wake_ended();
    if (each.what.ready != event::ready_work::not_looked)
      free_.look(each.what.ready == event::ready_work::some);
    if (each.what.what == kind::steal_won || each.what.what == kind::job_run) free_.look(false);
    if (each.what.what != kind::wake_sent || each.what.other >= by_index_.size()) return;
    const std::uint32_t woken = by_index_[each.what.other];
    if (woken == nobody || woken == each.worker || tracks_[woken].open.holds_slot() ||
        !tracks_[woken].is_known)
      return;
    if (!std::exchange(tracks_[woken].is_woken, true)) free_.wake();
  }

  void claim(const event::entry& each) {
    const std::uint16_t wanted =
        each.what.slot < made_.slot_count ? each.what.slot : record::nobody;
    track& who = tracks_[each.worker];
    if (who.borrows ? wanted == record::nobody : wanted == who.open.slot) return;
    if (who.open.holds_slot()) give_up(each.worker, each.at_ns);
    if (wanted == record::nobody) return;
    // The worker that frees a slot may record that after the next holder has it.
    if (const std::uint32_t holder = holders_[wanted]; holder != nobody) {
      if (!tracks_[holder].borrows) ++made_.double_claims;
      give_up(holder, each.at_ns);
    }
    take(each.worker, wanted, each.at_ns);
  }

  void take(std::uint32_t worker, std::uint16_t slot, std::int64_t now_ns) {
    close(worker, now_ns);
    tracks_[worker].open.slot = slot;
    holders_[slot] = worker;
    free_.take();
  }

  void give_up(std::uint32_t worker, std::int64_t now_ns) {
    close(worker, now_ns);
    if (std::exchange(tracks_[worker].borrows, false)) slotless_.push_back(worker);
    holders_[std::exchange(tracks_[worker].open.slot, record::nobody)] = nobody;
    free_.give_back();
  }

  // A thread that works beyond the limit has a slot of its own, which no record names, and one of
  // the others is withheld for it.
  void lend_slots(const event::entry& each) {
    track& who = tracks_[each.worker];
    const bool works = who.open.what == state::working || who.open.what == state::stealing ||
                       who.open.what == state::searching || who.open.what == state::waiting;
    if (who.borrows && !works) give_up(each.worker, each.at_ns);
    std::erase(slotless_, each.worker);
    if (works && !who.open.holds_slot()) slotless_.push_back(each.worker);
    for (auto free = holders_.begin(); !slotless_.empty(); ++free) {
      free = std::ranges::find(free, holders_.end(), nobody);
      if (free == holders_.end()) return;
      const std::uint32_t borrower = slotless_.front();
      slotless_.erase(slotless_.begin());
      take(borrower, static_cast<std::uint16_t>(free - holders_.begin()), each.at_ns);
      tracks_[borrower].borrows = true;
    }
  }

  /// Ends the present interval of `worker`; the next one is equal until it is changed.
  void close(std::uint32_t worker, std::int64_t now_ns) {
    track& who = tracks_[worker];
    who.open.when.end_ns = now_ns;
    if (who.open.when.length_ns() > 0) {
      if (who.open.holds_slot()) who.held.push_back(made_.intervals.size());
      if (who.open.holds_slot() && who.open.what == state::working)
        who.worked.push_back(made_.intervals.size());
      made_.intervals.push_back(who.open);
    }
    who.open.when.begin_ns = now_ns;
  }

  // A reading covers the time since the one before, so an interval must end with it. An amount that
  // does not fit into one record is in several.
  void carve_out(const event::entry& each) {
    reading_ns_ += std::int64_t{each.what.amount} * 1000;
    if (goes_on(each)) return;
    close(each.worker, each.at_ns);
    track& who = tracks_[each.worker];
    const std::int64_t amount_ns = std::exchange(reading_ns_, 0);
    if (each.what.what == kind::run_delayed) {
      made_.delay_without_slot_ns +=
          carve(made_.intervals, who.held, amount_ns, &interval::run_delay_ns);
      who.held.clear();
    } else {
      carve(made_.intervals, who.worked, amount_ns, &interval::slept_ns);
      who.worked.clear();
    }
  }

  /// Whether the entry after `each` belongs to the same reading.
  bool goes_on(const event::entry& each) const noexcept {
    const event::entry* const next = &each + 1;
    return next != from_.entries.data() + from_.entries.size() && next->worker == each.worker &&
           next->at_ns == each.at_ns && next->what.what == each.what.what;
  }

  const event::recording& from_;
  std::uint32_t pool_;
  vacancy_counter free_;
  std::vector<std::uint32_t> holders_;   ///< Of each slot.
  std::vector<track> tracks_;            ///< Indexed as `recording::workers`.
  std::vector<std::uint32_t> by_index_;  ///< From `recorded_worker::index`.
  std::vector<std::uint32_t> unmet_;
  /// Workers that work and are shown in no slot, in the order in which that began.
  std::vector<std::uint32_t> slotless_;
  std::int64_t reading_ns_ = 0;  ///< The sum of the records of one reading so far.
  timeline made_;
};

}  // namespace

timeline lay_out(const event::recording& from, std::uint32_t pool) {
  FILCH_ASSERT(pool < from.pools.size(), "the recording has no such pool", pool, from.pools.size());
  timeline made = sweep{from, pool}.run();
  book_forks(made, from, pool);
  return made;
}

}  // namespace filch::span
