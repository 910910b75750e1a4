#pragma once
#include <filch/event/recording.hpp>
#include <filch/span/time_range.hpp>

#include <vector>

namespace filch::inline v0_2::span {

/// The state of a worker. Finer than `event::activity`: also states that only follow from a series
/// of records.
enum class state : std::uint8_t {
  working,    ///< Runs jobs.
  stealing,   ///< From a probe of a victim to the answer, and from a job won to its begin.
  searching,  ///< Looks for a victim.
  waiting,    ///< In a join whose job was stolen, with its slot.
  blocked,    ///< Inside a job, in `blocking` or in another pool.
  suspended,  ///< In a join whose job was stolen; another worker has its slot.
  parked,     ///< Asleep for want of work.
  away,       ///< Not in the pool.
  unknown,    ///< Its records of this time are lost.
};
inline constexpr std::size_t state_count = static_cast<std::size_t>(state::unknown) + 1;

/// A job, its joins and waits included.
struct job {
  time_range when;
  std::uint32_t worker = 0;  ///< Index into `recording::workers`.
  std::uint32_t site = 0;
  /// `worker_index()` of the victim that it was taken from; `nobody`: a queue.
  std::uint16_t from = event::record::nobody;
  bool has_ended = false;  ///< Otherwise the recording ends first.
  /// Run at its own join or wait: known if jobs were recorded.
  bool in_place = false;
};

/// Follows one worker from record to record, and adds its jobs to a list.
///
/// At steal level jobs nest in waits only, so those under way are a stack of jobs and waits in
/// turn. If jobs were recorded, those run in place nest in any job, and records say how deep. What
/// an external thread computes outside any job has site 0.
class follower {
 public:
  void see(const event::entry& seen, std::vector<job>& jobs);

  state what() const noexcept { return what_; }
  std::uint32_t site() const noexcept { return site_; }

 private:
  void note_steal(const event::record& seen) noexcept;
  void note_nesting(const event::entry& seen, std::vector<job>& jobs);
  void note_job(const event::entry& seen, std::vector<job>& jobs);
  void begin(const job& begun, std::vector<job>& jobs);
  void leave(std::int64_t now_ns, std::vector<job>& jobs);
  void find_site() noexcept;
  bool in_job() const noexcept { return !frames_.empty() && frames_.back().job != a_wait; }
  bool in_wait() const noexcept { return !frames_.empty() && frames_.back().job == a_wait; }
  state judge(event::activity before) const noexcept;

  static constexpr std::size_t a_wait = ~std::size_t{0};
  static constexpr std::size_t unseen = a_wait - 1;  ///< A job whose begin was not seen.
  struct frame {
    std::size_t job = a_wait;  ///< Where it stands in the list.
    std::uint32_t site = 0;
    std::uint32_t depth = 0;
  };

  state what_ = state::unknown;
  event::activity doing_ = event::activity::away;
  bool is_stealing_ = false;
  std::uint32_t site_ = 0;
  std::uint32_t depth_ = 0;  ///< How many jobs are under way, as far as is known.
  std::vector<frame> frames_;
};

}  // namespace filch::span
