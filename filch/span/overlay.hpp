#pragma once
#include <filch/span/timeline.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::span {

/// Calls `f(when, held, free)` for each time range in which nothing changes, in order. `held` has
/// pointers to the intervals that hold slots, in no particular order; `free` is the vacancy of the
/// other slots.
///
/// Cost: O(n log n) for n intervals, and O(slots) a call.
template <class F>
void for_each_moment(const timeline& from, F&& f) {
  std::vector<const interval*> coming, held;
  for (const interval& s : from.intervals) {
    if (s.holds_slot()) coming.push_back(&s);
  }
  std::ranges::sort(coming, std::greater<>{}, [](const interval* s) { return s->when.begin_ns; });
  for (const vacancy& free : from.vacancies) {
    for (std::int64_t now = free.when.begin_ns; now < free.when.end_ns;) {
      std::erase_if(held, [&](const interval* s) { return s->when.end_ns <= now; });
      for (; !coming.empty() && coming.back()->when.begin_ns <= now; coming.pop_back())
        held.push_back(coming.back());
      std::int64_t next = free.when.end_ns;
      if (!coming.empty()) next = (std::min)(next, coming.back()->when.begin_ns);
      for (const interval* s : held) next = (std::min)(next, s->when.end_ns);
      f(time_range{now, next}, std::as_const(held), free);
      now = next;
    }
  }
}

}  // namespace filch::span
