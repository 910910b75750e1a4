#pragma once
// How a pool learns that all its detached jobs have ended, though each worker counts by itself.
// README.md, "Unfinished jobs".
#include <filch/base/sync.hpp>
#include <filch/sched/edges.hpp>

#include <cstdint>

namespace filch::inline v0_2::sched {

/// One thread's count of a pool's detached jobs: those that it submitted, and those that ended on
/// it, which may be others. A job begins here when it is submitted, before any thread runs it. A
/// template, so that the model checkers read the text that ships.
template <class Sync>
class basic_job_count {
 public:
  /// Cost: a load and a store each. Threads: one, the owner.
  /// Relaxed: a thread that sees the end of the job, or of the job that submitted it, has acquired
  /// this with it.
  void begin() noexcept { begun_.store(begun() + 1, base::relaxed); }
  void end() noexcept {
    ended_.store(ended_.load(base::relaxed) + 1, base::release<edge::counted>);
  }
  /// The same for a count that threads share.
  void begin_beside_others() noexcept { begun_.fetch_add(1, base::relaxed); }
  void end_beside_others() noexcept { ended_.fetch_add(1, base::release<edge::counted>); }

  std::uint64_t begun() const noexcept { return begun_.load(base::relaxed); }
  std::uint64_t ended() const noexcept { return ended_.load(base::acquire<edge::counted>); }

 private:
  /// Writer: the owner, or all by RMW. Reader: `have_all_ended`.
  typename Sync::template atomic<std::uint64_t> begun_{0};
  typename Sync::template atomic<std::uint64_t> ended_{0};  ///< The same.
};

/// At least the number of counted jobs that were unfinished at the moment between its two sums, and
/// zero only if none was.
///
/// Ends are added up first. A job that was seen to end was seen to be submitted, and so was each
/// job that it submitted: the sums are equal only if no other job was submitted.
template <class ForEachCount>
std::uint64_t count_unfinished(ForEachCount for_each_count) noexcept {
  std::uint64_t ended = 0, begun = 0;
  for_each_count([&](const auto& each) { ended += each.ended(); });
  for_each_count([&](const auto& each) { begun += each.begun(); });
  return begun - ended;
}

/// True when at some moment of the call no counted job was unfinished. It stays so unless a thread
/// from outside submits one. `for_each_count` calls the function it is given with every count.
template <class ForEachCount>
bool have_all_ended(ForEachCount for_each_count) noexcept {
  return count_unfinished(for_each_count) == 0;
}

/// Where the thread that waits for all jobs to end meets the threads that end them. Most ends find
/// no waiter, and pay a load for that.
template <class Sync>
class basic_quiescence {
 public:
  /// `always`: there is no asymmetric fence, so every end takes its turn.
  explicit basic_quiescence(bool always) noexcept : always_{always}, awaited_{always} {}

  /// Call after an end was counted. True: a thread may wait, so the caller must look whether all
  /// jobs have ended.
  bool is_awaited() noexcept {
    Sync::template light_fence<edge::quiescence>();
    // Relaxed: either this is seen, or the end counted before it
    if (!awaited_.load(base::relaxed)) [[likely]]
      return false;
    turn_.fetch_add(1, base::acq_rel<edge::take_turns>);
    return true;
  }
  /// From now on `is_awaited` returns true. The caller looks once more itself before it parks.
  void await() noexcept {
    awaited_.store(true, base::relaxed);
    if (!always_) Sync::template heavy_fence<edge::quiescence>();
    turn_.fetch_add(1, base::acq_rel<edge::take_turns>);
  }

 private:
  const bool always_;
  /// Writer: the waiter. Readers: threads that end jobs.
  typename Sync::template atomic<bool> awaited_;
  /// Orders the threads that look. Writers: all, by RMW.
  typename Sync::template atomic<std::uint32_t> turn_{0};
};

using job_count = basic_job_count<base::real_sync>;
using quiescence = basic_quiescence<base::real_sync>;

}  // namespace filch::sched
