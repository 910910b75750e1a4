#pragma once
#include <filch/base/cache_line.hpp>
#include <filch/base/sync.hpp>
#include <filch/policy/stealing.hpp>
#include <filch/sched/edges.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// The idle word: how many workers search and how many slots are free. It is changed by
/// read-modify-write only.
///
/// That is the whole announce-then-recheck / publish-then-check protocol: the word itself orders a
/// producer's `look_after_publish` and a sleeper's `end_search` or `slot_freed`, so one of the two
/// sees what the other did before.
template <class Sync>
class basic_idle_state {
 public:
  struct view : policy::idle_view {
    bool work_waits;  ///< A producer found no free slot: the next thread that frees one must look.
    /// There is a backup poller: it looks for work before long, and once more when it stops.
    bool has_backup_poller;
  };

  /// Producer, after its job is visible.
  view look_after_publish() noexcept {
    return unpack(word_.fetch_add(0, base::acq_rel<edge::announce>));
  }
  /// Producer that found all slots taken. Returns what was there: a slot may have become free.
  view note_waiting_work() noexcept {
    return unpack(word_.fetch_or(waits_bit, base::acq_rel<edge::announce>));
  }

  /// Both as needed. A note that stands already suffices: the thread that clears it looks for work
  /// afterwards, and so finds this job.
  view announce_work() noexcept {
    const view seen = look_after_publish();
    if (seen.searching != 0) return seen;
    return seen.free_slots == 0 && !seen.work_waits ? note_waiting_work() : seen;
  }

  /// A woken worker gets a slot and counts as searching from now on.
  void slot_taken_to_search() noexcept {
    word_.fetch_add(searching_unit - slot_unit, base::acq_rel<edge::announce>);
  }
  void slot_taken() noexcept { word_.fetch_sub(slot_unit, base::acq_rel<edge::announce>); }
  view slot_freed() noexcept {
    return unpack(word_.fetch_add(slot_unit, base::acq_rel<edge::announce>));
  }
  void begin_search() noexcept { word_.fetch_add(searching_unit, base::acq_rel<edge::announce>); }
  /// Returns true if this was the last searcher. If it found work, it wakes the next; else it looks
  /// once more.
  bool end_search() noexcept {
    return unpack(word_.fetch_sub(searching_unit, base::acq_rel<edge::announce>)).searching == 1;
  }
  /// A sleeper is the backup poller from now on.
  void backup_poller_comes() noexcept {
    word_.fetch_or(backup_poller_bit, base::acq_rel<edge::announce>);
  }
  /// It no longer is: it looks for work afterwards.
  void backup_poller_leaves() noexcept {
    word_.fetch_and(~backup_poller_bit, base::acq_rel<edge::announce>);
  }
  void waiting_work_seen() noexcept { word_.fetch_and(~waits_bit, base::acq_rel<edge::announce>); }

  view peek() const noexcept { return unpack(word_.load(base::relaxed)); }  // relaxed: a hint

 private:
  static constexpr std::uint64_t searching_unit = 1;
  static constexpr std::uint64_t slot_unit = std::uint64_t{1} << 16;
  static constexpr std::uint64_t waits_bit = std::uint64_t{1} << 32;
  static constexpr std::uint64_t backup_poller_bit = std::uint64_t{1} << 33;
  static view unpack(std::uint64_t word) noexcept {
    view seen{};
    seen.searching = static_cast<std::uint32_t>(word & 0xffff);
    seen.free_slots = static_cast<std::uint32_t>(word >> 16 & 0xffff);
    seen.work_waits = (word & waits_bit) != 0;
    seen.has_backup_poller = (word & backup_poller_bit) != 0;
    return seen;
  }

  /// Writers: all, by RMW.
  alignas(base::cache_line_bytes) typename Sync::template atomic<std::uint64_t> word_{0};
};

using idle_state = basic_idle_state<base::real_sync>;

}  // namespace filch::sched
