#pragma once
#include <filch/event/recording.hpp>

#include <optional>
#include <vector>

namespace filch::trace {

/// A stretch of time in which a worker did one thing, for whoever draws or adds up.
struct slice {
  std::uint32_t worker = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  bool is_known = true;  ///< False: records of this time are lost, or were never made.
  event::activity doing{};
  /// Of the job that it runs, or in the middle of which it waits; 0: not known, or none.
  std::uint32_t site = 0;
  friend bool operator==(const slice&, const slice&) = default;
};

/// What every worker did, worker by worker, in order of time: without a gap from its first known
/// moment to the end of the recording, but for the time that it was away. Equal neighbours are one
/// slice, unless they are two jobs.
std::vector<slice> slices_of(const event::recording& all);

/// Who is at the other end of what happened, as an index into `recording::workers`; nothing where
/// that is not recorded.
std::optional<std::uint32_t> other_end(const event::recording& all, const event::entry& of);
/// True of the kinds of event that say nothing beyond what slices show.
constexpr bool is_told_by_slices(event::kind what) noexcept {
  return what == event::kind::state_changed || what == event::kind::job_changed;
}

}  // namespace filch::trace
