#pragma once
#include <filch/base/clock.hpp>
#include <filch/policy/tuning.hpp>
#include <filch/sched/slot.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace filch::inline v0_2::sched {

/// What a thief knows of the ready queues of others: when it may look at them, and which single
/// jobs it has left to their owners for a moment. Times are in ticks.
/// Threads: the thief's own.
class ready_steals {
 public:
  /// The only job of a queue, as the thief saw it in this search.
  struct single_item {
    slot* victim = nullptr;
    std::int64_t number = 0;
    bool is_there() const noexcept {
      return victim->ready.size_hint() != 0 && victim->ready.oldest_hint() == number;
    }
  };

  /// How long it leaves queues alone.
  std::uint64_t pause() const noexcept { return as_ticks(backoff_.pause_ns()); }
  /// Whether to leave queues alone now; if not, this is a look. Times are compared by their
  /// distance: a counter that begins again when the machine resumes ends every pause.
  bool leaves_queues_alone(std::uint64_t now) noexcept {
    if (now - looked_at_ < pause()) return true;
    looked_at_ = now;  // a look takes the owner's cache lines, too
    if (backoff_.pause_ns() == 0 || last_.victim == nullptr) return false;
    const std::int64_t taken =
        std::max<std::int64_t>(0, last_.victim->ready.oldest_hint() - last_.oldest);
    backoff_.others_took(static_cast<std::uint64_t>(taken), last_.left,
                         (now - last_.at) * 1000 / base::ticks_per_us());
    return false;
  }
  /// It runs a job of `victim`, from `now` on.
  void begins_job_of(slot& victim, std::uint64_t now) noexcept {
    last_ = {&victim, now, victim.ready.oldest_hint(), victim.ready.size_hint()};
    was_useless_ = false;
  }
  /// That job has to go on waiting: stealing it has only disturbed its former worker.
  void was_useless() noexcept { was_useless_ = true; }
  void ends_job(std::uint64_t now) noexcept {
    looked_at_ = now;
    was_useless_ ? backoff_.was_not_needed()
                 : backoff_.ran_job((now - last_.at) * 1000 / base::ticks_per_us());
  }

  /// Leaves the only job of `victim` to its owner for now. If there are more than it remembers, the
  /// next look begins elsewhere.
  void leave_single(slot& victim) noexcept {
    if (count_ != singles_.size()) singles_[count_++] = {&victim, victim.ready.oldest_hint()};
  }
  void looked(std::uint64_t now) noexcept { seen_at_ = now; }
  bool has_singles() const noexcept { return count_ != 0; }
  void forget_singles() noexcept { count_ = 0; }
  /// The jobs left, once their owners have had a moment to take them; until then none.
  std::span<const single_item> take_singles(std::uint64_t now) noexcept {
    if (now - seen_at_ < as_ticks(policy::ready_steal_backoff::single_item_ns)) return {};
    return {singles_.data(), std::exchange(count_, 0)};
  }
  /// The owners took all of them: none is stuck, and their jobs need no thief.
  void owners_took_singles(std::uint64_t now) noexcept {
    looked_at_ = now;
    backoff_.was_not_needed();
    owners_get_on_ = true;
  }
  /// Whether that has happened since the last call.
  bool have_owners_got_on() noexcept { return std::exchange(owners_get_on_, false); }

 private:
  static std::uint64_t as_ticks(std::uint64_t ns) noexcept {
    return ns * base::ticks_per_us() / 1000;
  }

  policy::ready_steal_backoff backoff_;
  std::uint64_t looked_at_ = 0;  ///< Since then it leaves ready queues alone.
  struct {
    const slot* victim = nullptr;
    std::uint64_t at = 0;
    std::int64_t oldest = 0;  ///< The oldest job that the thief left,
    std::uint64_t left = 0;   ///< and how many it left.
  } last_;
  bool was_useless_ = false;
  bool owners_get_on_ = false;
  std::array<single_item, 8> singles_;  ///< Of one look.
  std::uint32_t count_ = 0;
  std::uint64_t seen_at_ = 0;
};

}  // namespace filch::sched
