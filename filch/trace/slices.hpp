#pragma once
#include <filch/event/recording.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filch::trace {

/// A stretch of time in which a worker did one thing, for whoever draws or adds up.
struct slice {
  std::uint32_t worker = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  bool is_known = true;  ///< False: records of this time are lost, or were never made.
  event::activity doing{};
  std::uint32_t site = 0;  ///< Of the job that it runs, or in the middle of which it waits; 0: not known, or none.
  friend bool operator==(const slice&, const slice&) = default;
};

/// What every worker did, worker by worker, in order of time: without a gap from its first known moment to the end of the recording,
/// but for the time that it was away. Equal neighbours are one slice.
std::vector<slice> slices_of(const event::recording& all);

/// The name of an activity: "working".
std::string_view name_of(event::activity what) noexcept;
/// What stands for a site where people read: its name, or module and offset, or its address.
std::string text_of(const event::call_site& site);
/// "pool 0 worker 1".
std::string text_of(const event::recorded_worker& worker);

}  // namespace filch::trace
