#pragma once
#include <filch/base/clock.hpp>
#include <filch/event/counters.hpp>
#include <filch/event/record.hpp>
#include <filch/trace/job_budget.hpp>
#include <filch/trace/layout.hpp>
#include <filch/trace/spool.hpp>
#include <filch/trace/stamps.hpp>

#include <algorithm>
#include <utility>

namespace filch::trace {

struct tick_counter {
  static std::uint64_t now() noexcept { return base::ticks(); }
};
using stamps = basic_stamps<tick_counter>;

/// Where one worker writes while recording is on. Threads: the worker's.
class ring_writer {
 public:
  /// `spool`: where it keeps what it is about to write over; may be null.
  ring_writer(row& mine, counter_snapshot& told, ring records, site_table sites,
              own_spool* spool = nullptr) noexcept
      : row_{&mine},
        tally_{&told},
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
  /// The same for a job that begins or ends, at the time that this finds out, with the second word
  /// of its record. `moment` is the same where the program does the same again.
  void write_begin(std::uint64_t said, std::uint64_t moment) noexcept {
    put({of_this_recording(times_.of_begin(moment)), said});
  }
  void write_end(std::uint64_t said, std::uint64_t moment) noexcept {
    put({of_this_recording(times_.of_end(moment)), said});
  }
  /// Whether somebody wants every job told. Threads: the recorder sets it, the worker asks.
  bool tells_jobs() const noexcept {
    return tells_jobs_.load(base::relaxed);
  }  // relaxed: a job more or less as a recording begins
  void tell_jobs(bool wanted) noexcept { tells_jobs_.store(wanted, base::relaxed); }
  /// Whether the next job is told. Else `may_tell_again` is asked, which looks further.
  bool may_tell() noexcept { return budget_.spend(); }
  bool may_tell_again(std::uint64_t now_ticks) noexcept;
  /// Whether the next job, with forks so deep, can be a fold; if not, nothing is told of it.
  bool may_fold(std::uintptr_t depth) noexcept { return !folds_ && !budget_.skip(depth); }
  /// From now on every job is told, or long ones and samples. Whether that is a change.
  bool turns_to_samples(bool samples) noexcept {
    return std::exchange(samples_, samples) != samples;
  }
  /// A fold begins: a job that stands for all that is forked in it. `said`: the second word of its
  /// record, which is written when something else is to be told in it, or at its end.
  void begin_fold(std::uint64_t now_ticks, std::uint64_t said) noexcept;
  /// It is over; whether it and those before it were short.
  bool folds_are_short(std::uint64_t now_ticks) noexcept {
    budget_.note_fold(now_ticks - fold_ticks_);
    return budget_.folds_are_short();
  }
  /// It ends, with the second word of that record. Returns how many records tell it: none of a
  /// short one.
  std::uint64_t end_fold(std::uint64_t now_ticks, std::uint64_t said) noexcept;
  /// It ends, and nobody records any more.
  void drop_fold() noexcept {
    folds_ = false;
    held_ = {};
  }
  /// Lets readers see the words `at` of what the worker has counted. Cost: a load and a store each.
  template <class... Places>
  void tell(const event::counters& mine, Places... at) noexcept {
    (tally_->words[at].store(mine.word(at), base::release<edge::change_hands>), ...);
  }
  /// The same of what it does, and of all that it did: of an activity that ended as the recording
  /// began, readers would think that it lasts.
  void tell_activity(const event::counters& mine) noexcept {
    for (std::size_t at = event::counter_words::doing; at < event::counter_words::first_class; ++at)
      tell(mine, at);
  }
  void tell_all(const event::counters& mine) noexcept {
    for (std::size_t i = 0; i < tally_->words.size(); ++i) tell(mine, i);
  }
  void tell_ready(std::uint64_t jobs) noexcept {
    tally_->ready_jobs.store(jobs, base::release<edge::change_hands>);
  }
  /// The number that stands for a call site in records. `code` is the function that its jobs run.
  std::uint32_t site_of(std::uintptr_t code) noexcept {
    if (code == last_code_) [[likely]]
      return last_site_;
    last_code_ = code;
    return last_site_ = sites_.number_of(code);
  }
  /// The same, where the job before was of that site; else 0.
  std::uint32_t site_again(std::uintptr_t code) const noexcept {
    return code == last_code_ ? last_site_ : 0;
  }
  /// How long this thread, of the worker that `mine` counts for, did not run though it had a slot,
  /// since it was last asked.
  struct pauses {
    std::uint64_t run_delay_us = 0;  ///< Ready to run.
    /// Asleep with a slot, which a worker is in the middle of jobs only.
    std::uint64_t slept_us = 0;
  };
  /// How a worker and its thread stand at one time.
  struct thread_times {
    std::uint64_t ticks = 0, ns = 0;
    std::uint64_t on_cpu_ns = 0;
    std::uint64_t held_ticks = 0;  ///< For which the worker had a slot,
    std::uint64_t away_ticks = 0;  ///< and for which its thread was outside the pool.
  };
  /// What fell between two times with a slot, where the kernel delayed the thread by `delay_us` in
  /// all.
  static pauses pauses_between(const thread_times& before, const thread_times& now,
                               std::uint64_t delay_us) noexcept;
  /// Cost: 5 us, so not more often than every 10 ms, but for the first time of a thread: until then
  /// nothing.
  pauses paused(std::uint64_t now_ticks, const event::counters& mine) noexcept;
  /// Records tell so much of its thread's run delay as of now. Threads: the worker's; the recorder,
  /// before it hands the lane out.
  void tell_delay(std::uint64_t delay_ns, std::uint64_t now_ticks) noexcept;
  /// The calling thread is the worker from now on, and `mine` counts for it.
  void sit_down(const event::counters& mine) noexcept;

  /// A recording begins: of the time before it nothing is told. Threads: the recorder, before it
  /// hands the lane out.
  // Relaxed: `basic_switch` orders it
  void begin(std::uint64_t now_ticks) noexcept { begun_.store(now_ticks, base::relaxed); }

  row& mine() const noexcept { return *row_; }
  std::uint64_t written() const noexcept { return ring_.written(); }

 private:
  // The last stamp may be one of an earlier recording, and what bears it would not be found in this
  // one.
  std::uint64_t of_this_recording(std::uint64_t stamp) noexcept {
    if (stamp >= begun_.load(base::relaxed)) [[likely]]
      return stamp;
    const std::uint64_t now = base::ticks();
    times_.note(now);
    return now;
  }
  // A worker that was put aside between its look at the clock and what it reports is late: the
  // recorder has noted its old state since.
  void push(event::record added) noexcept {
    added.ticks = (std::max)(added.ticks, begun_.load(base::relaxed));
    put(added.pack());
  }

  void tell_held() noexcept;
  void put(const item& added) noexcept {
    const std::uint64_t end = ring_.push(added);
    if ((end & (chunk_items_ - 1)) == 0) [[unlikely]]
      keep_chunk(end);
  }
  void keep_chunk(std::uint64_t end) noexcept;

  row* row_;
  counter_snapshot* tally_;
  ring ring_;
  site_table sites_;
  own_spool* const spool_;
  const std::uint64_t chunk_items_;  ///< A power of two.
  std::uintptr_t last_code_ = 0;     ///< Most jobs are of the site that the job before was of.
  std::uint32_t last_site_ = 0;
  // 40 ns: two looks at the clock and what stands between them
  stamps times_{base::ticks_per_us() / 25};
  base::atomic<bool> tells_jobs_{false};  ///< Writer: the recorder. Reader: the worker.
  static thread_times standing_at(std::uint64_t now_ticks, const event::counters& mine) noexcept;

  /// When recording began, in ticks. Writer: the recorder. Reader: the worker.
  base::atomic<std::uint64_t> begun_{0};
  std::uint64_t seen_begun_ = 0;  ///< Of which recording `asked_` is.
  thread_times asked_;            ///< How things stood then.
  bool has_just_sat_down_ = false;

  job_budget budget_;
  std::uint64_t budget_begun_ = 0;  ///< Of which recording it is.
  bool samples_ = false;            ///< Not every job is told.
  bool folds_ = false;
  std::uint64_t fold_ticks_ = 0;  ///< When the fold began.
  item held_{};                   ///< Its record, until that is written.
};

}  // namespace filch::trace
