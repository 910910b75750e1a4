#pragma once
#include <filch/event/recording.hpp>

#include <optional>
#include <vector>

namespace filch::inline v0_2::trace {

/// An interval of one activity of a worker, for code that draws or adds up.
struct slice {
  std::uint32_t worker = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  bool is_known = true;  ///< False: records of this time are lost, or were never made.
  event::activity doing{};
  /// Of the job that it runs, or inside which it waits; 0: not known, or none.
  std::uint32_t site = 0;
  friend bool operator==(const slice&, const slice&) = default;
};

/// The slices of every worker, worker by worker, in order of time. They have no gap from its first
/// known moment to the end of the recording, except while it was away. Equal neighbors are one
/// slice, unless they are two jobs.
std::vector<slice> slices_of(const event::recording& all);

/// The other worker of an event, as an index into `recording::workers`; nothing if that is not
/// recorded.
std::optional<std::uint32_t> other_end(const event::recording& all, const event::entry& of);
/// Whether slices show all that an event of this kind says.
constexpr bool is_told_by_slices(event::kind what) noexcept {
  return what == event::kind::state_changed || what == event::kind::job_changed;
}

}  // namespace filch::trace
