#pragma once
// How a pool knows that all its detached jobs are over, though each worker counts by itself.
// README.md, "Unfinished jobs".
#include <filch/base/sync.hpp>
#include <filch/sched/edges.hpp>

#include <cstdint>

namespace filch::sched {

/// What one thread has counted of a pool's detached jobs: those that it made, and those that ended
/// with it, which may be others. A template, so that the model checkers read the text that ships.
template <class Sync>
class basic_job_count {
 public:
  /// Cost: a load and a store each. Threads: one, the owner.
  /// Relaxed: who sees that the job has ended, or the one that made it, has acquired this with it.
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

/// No fewer than the counted jobs that were unfinished at the moment between its two sums, and zero
/// only if none was then.
///
/// Ends are added up first. Whoever was seen to end has been seen to begin, and what it began, too:
/// so the sums are equal only if nobody else has begun.
template <class ForEachCount>
std::uint64_t count_unfinished(ForEachCount for_each_count) noexcept {
  std::uint64_t ended = 0, begun = 0;
  for_each_count([&](const auto& each) { ended += each.ended(); });
  for_each_count([&](const auto& each) { begun += each.begun(); });
  return begun - ended;
}

/// True when there was a moment during the call at which no counted job was unfinished; then it
/// stays so unless somebody from outside begins one. `for_each_count` hands every count to the
/// function that it is given.
template <class ForEachCount>
bool have_all_ended(ForEachCount for_each_count) noexcept {
  return count_unfinished(for_each_count) == 0;
}

/// Where the one who waits for all jobs to end meets those who end them: most ends have nobody to
/// tell, and pay a load for that.
template <class Sync>
class basic_quiescence {
 public:
  /// `always`: there is no asymmetric fence, so every end takes its turn.
  explicit basic_quiescence(bool always) noexcept : always_{always}, awaited_{always} {}

  /// After an end was counted. True: somebody may be waiting, and the caller is to look whether all
  /// have ended.
  bool is_awaited() noexcept {
    Sync::template light_fence<edge::quiescence>();
    // Relaxed: either this is seen, or the end counted before it
    if (!awaited_.load(base::relaxed)) [[likely]]
      return false;
    turn_.fetch_add(1, base::acq_rel<edge::take_turns>);
    return true;
  }
  /// From now on ends are told. The caller looks once more itself before it sleeps.
  void await() noexcept {
    awaited_.store(true, base::relaxed);
    if (!always_) Sync::template heavy_fence<edge::quiescence>();
    turn_.fetch_add(1, base::acq_rel<edge::take_turns>);
  }

 private:
  const bool always_;
  /// Writer: who waits. Readers: who end jobs.
  typename Sync::template atomic<bool> awaited_;
  /// Of those that look one after the other. By RMW only.
  typename Sync::template atomic<std::uint32_t> turn_{0};
};

using job_count = basic_job_count<base::real_sync>;
using quiescence = basic_quiescence<base::real_sync>;

}  // namespace filch::sched
