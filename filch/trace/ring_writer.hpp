#pragma once
#include <filch/base/clock.hpp>
#include <filch/event/counters.hpp>
#include <filch/event/record.hpp>
#include <filch/trace/fork_sampler.hpp>
#include <filch/trace/job_budget.hpp>
#include <filch/trace/layout.hpp>
#include <filch/trace/spool.hpp>
#include <filch/trace/stamps.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::trace {

struct tick_counter {
  static std::uint64_t now() noexcept { return base::ticks(); }
};
using stamps = basic_stamps<tick_counter>;

/// The ring writer: what one worker writes through while recording is on. Threads: the worker's.
class ring_writer {
 public:
  /// `spool` keeps what the ring is about to overwrite; may be null.
  ring_writer(row& mine, counter_snapshot& told, ring records, site_table sites,
              own_spool* spool = nullptr) noexcept
      : row_{&mine},
        snapshot_{&told},
        ring_{records},
        sites_{sites},
        spool_{spool},
        chunk_items_{own_spool::chunk_items(records.capacity())} {}

  /// Cost: about 1 ns, and what reading the clock for `added.ticks` costs.
  void write(event::record added) noexcept {
    if (held_[0] != 0) [[unlikely]]
      tell_held();
    times_.note(added.ticks);
    push(added);
  }
  /// The same for a job that begins or ends now, with the second word of its record. `moment` is
  /// the same whenever the program is at the same point.
  void write_begin(std::uint64_t said, std::uint64_t moment) noexcept {
    put({of_this_recording(times_.of_begin(moment)), said});
  }
  void write_end(std::uint64_t said, std::uint64_t moment) noexcept {
    put({of_this_recording(times_.of_end(moment)), said});
  }
  /// Whether a session wants every job recorded. Threads: the recorder sets it, the worker reads.
  bool tells_jobs() const noexcept {
    return tells_jobs_.load(base::relaxed);
  }  // relaxed: one job more or less at the begin of a recording does not matter
  void tell_jobs(bool wanted) noexcept { tells_jobs_.store(wanted, base::relaxed); }
  /// Whether the next job is recorded. If not, `may_tell_again` decides.
  bool may_tell() noexcept { return budget_.spend(); }
  bool may_tell_again(std::uint64_t now_ticks) noexcept;
  /// Whether the next job, with forks so deep, can be a fold; if not, it is not recorded at all.
  bool may_fold(std::uintptr_t depth) noexcept { return !folds_ && !budget_.skip(depth); }
  /// When this worker counts its forks. Begun anew with each recording.
  fork_sampler& forks() noexcept {
    if (forks_begun_ != begun_.load(base::relaxed)) [[unlikely]]
      begin_forks();
    return forks_;
  }
  /// Whether forks are to be counted instead of folded for a while. A long job is not recorded
  /// then, so only after many short ones.
  bool counts_instead(std::uint64_t now_ticks) noexcept {
    return budget_.folds_are_short() && forks().is_due(now_ticks);
  }
  /// From now on every job is recorded, or only samples and long folds. Returns whether that is a
  /// change.
  bool turns_to_samples(bool samples) noexcept {
    return std::exchange(samples_, samples) != samples;
  }
  /// A fold begins: a job that stands for all that is forked in it. `said` is the second word of
  /// its record, which is written before the next other record, or at the end of the fold.
  void begin_fold(std::uint64_t now_ticks, std::uint64_t said) noexcept;
  /// The fold is over. Returns whether it and those before it were short.
  bool folds_are_short(std::uint64_t now_ticks) noexcept {
    budget_.note_fold(now_ticks - fold_ticks_);
    return budget_.folds_are_short();
  }
  /// Ends the fold, with the second word of that record. Returns the number of its records: 0 if it
  /// was short.
  std::uint64_t end_fold(std::uint64_t now_ticks, std::uint64_t said) noexcept;
  /// Ends the fold: recording is off.
  void drop_fold() noexcept {
    folds_ = false;
    held_ = {};
  }
  /// Copies the words `at` of the worker's counters for readers. Cost: a load and a store each.
  template <class... Places>
  void tell(const event::counters& mine, Places... at) noexcept {
    (snapshot_->words[at].store(mine.word(at), base::release<edge::change_hands>), ...);
  }
  /// Copies the words of all activities. All, because readers would think that an activity lasts if
  /// it ended just as the recording began.
  void tell_activity(const event::counters& mine) noexcept {
    for (std::size_t at = event::counter_words::doing; at < event::counter_words::first_class; ++at)
      tell(mine, at);
  }
  void tell_all(const event::counters& mine) noexcept {
    for (std::size_t i = 0; i < snapshot_->words.size(); ++i) tell(mine, i);
  }
  void tell_ready(std::uint64_t jobs) noexcept {
    snapshot_->ready_jobs.store(jobs, base::release<edge::change_hands>);
  }
  /// The number that stands for a call site in records. `code` is the function that its jobs run.
  std::uint32_t site_of(std::uintptr_t code) noexcept {
    if (code == last_code_) [[likely]]
      return last_site_;
    last_code_ = code;
    return last_site_ = sites_.number_of(code);
  }
  /// The same if the job before was of that site; else 0.
  std::uint32_t site_again(std::uintptr_t code) const noexcept {
    return code == last_code_ ? last_site_ : 0;
  }
  /// How long this thread did not run though its worker had a slot, since the last reading.
  struct pauses {
    std::uint64_t run_delay_us = 0;  ///< Ready to run.
    /// Asleep with a slot, which happens inside jobs only.
    std::uint64_t slept_us = 0;
  };
  /// The times of a worker and its thread at one moment.
  struct thread_times {
    std::uint64_t ticks = 0, ns = 0;
    std::uint64_t on_cpu_ns = 0;
    std::uint64_t held_ticks = 0;  ///< For which the worker had a slot,
    std::uint64_t away_ticks = 0;  ///< and for which its thread was outside the pool.
  };
  /// The pauses between two such moments, if the kernel delayed the thread by `delay_us` in all.
  static pauses pauses_between(const thread_times& before, const thread_times& now,
                               std::uint64_t delay_us) noexcept;
  /// The pauses of this thread since the last reading; `mine` are its worker's counters. They may
  /// belong to an earlier job. What follows the last reading is unknown. The time of an external
  /// thread outside the pool counts as run, so its sleep may be told too low.
  ///
  /// Cost: 5 us, so it reads every 10 ms at most (and the first time of a thread); else it returns
  /// zeroes.
  pauses paused(std::uint64_t now_ticks, const event::counters& mine) noexcept;
  /// Notes that records cover so much of the thread's run delay as of now. Threads: the worker's;
  /// the recorder, before it hands the writer out.
  void tell_delay(std::uint64_t delay_ns, std::uint64_t now_ticks) noexcept;
  /// The calling thread is the worker from now on, and `mine` counts for it.
  void adopt_thread(const event::counters& mine) noexcept;

  /// A recording begins: nothing before it is recorded. Threads: the recorder, before it hands the
  /// writer out.
  // relaxed: `basic_switch` orders it
  void begin(std::uint64_t now_ticks) noexcept { begun_.store(now_ticks, base::relaxed); }

  row& mine() const noexcept { return *row_; }
  std::uint64_t written() const noexcept { return ring_.written(); }

 private:
  // The last stamp may be from an earlier recording, in which a reader would not look.
  std::uint64_t of_this_recording(std::uint64_t stamp) noexcept {
    if (stamp >= begun_.load(base::relaxed)) [[likely]]
      return stamp;
    const std::uint64_t now = base::ticks();
    times_.note(now);
    return now;
  }
  // A worker that was preempted between its look at the clock and this record is late: the recorder
  // has noted its old state since.
  void push(event::record added) noexcept {
    added.ticks = (std::max)(added.ticks, begun_.load(base::relaxed));
    put(added.pack());
  }

  FILCH_EXPORT void tell_held() noexcept;
  void put(const item& added) noexcept {
    const std::uint64_t end = ring_.push(added);
    if ((end & (chunk_items_ - 1)) == 0) [[unlikely]]
      keep_chunk(end);
  }
  FILCH_EXPORT void keep_chunk(std::uint64_t end) noexcept;

  row* row_;
  counter_snapshot* snapshot_;
  ring ring_;
  site_table sites_;
  own_spool* const spool_;
  const std::uint64_t chunk_items_;  ///< A power of two.
  std::uintptr_t last_code_ = 0;     ///< Most jobs are of the site that the job before was of.
  std::uint32_t last_site_ = 0;
  // 40 ns: two looks at the clock and what stands between them
  stamps times_{base::ticks_per_us() / 25};
  base::atomic<bool> tells_jobs_{false};  ///< Writer: the recorder. Reader: the worker.
  static thread_times thread_times_at(std::uint64_t now_ticks,
                                      const event::counters& mine) noexcept;

  /// When recording began, in ticks. Writer: the recorder. Reader: the worker.
  base::atomic<std::uint64_t> begun_{0};
  std::uint64_t seen_begun_ = 0;  ///< The recording that `asked_` belongs to.
  thread_times asked_;            ///< At the last reading.
  bool has_new_thread_ = false;

  job_budget budget_;
  std::uint64_t budget_begun_ = 0;  ///< The recording that it belongs to.
  FILCH_EXPORT void begin_forks() noexcept;

  fork_sampler forks_;
  std::uint64_t forks_begun_ = 0;   ///< The recording that it belongs to.
  bool samples_ = false;            ///< Not every job is recorded.
  bool folds_ = false;
  std::uint64_t fold_ticks_ = 0;  ///< When the fold began.
  item held_{};                   ///< Its record, until that is written.
};

}  // namespace filch::trace
