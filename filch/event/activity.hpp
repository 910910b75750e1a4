#pragma once
// What a worker can do: apart from `schema.hpp`, as every program that uses pools includes it.
#include <cstddef>
#include <cstdint>

namespace filch::event {

/// What a worker is doing; its time is booked on exactly one of these.
enum class activity : std::uint8_t {
  away,       ///< Not in the pool: a place whose visitor has left.
  working,    ///< Runs jobs.
  searching,  ///< Has a slot and looks for work.
  waiting,    ///< Has a slot, in a join whose job was stolen and of which there is nothing to help with.
  blocked,    ///< Without a slot, in the middle of a job: in a join that was handed over, in `blocking`, in another pool.
  parked,     ///< Without a slot and without a job, asleep.
};
inline constexpr std::size_t activity_count = static_cast<std::size_t>(activity::parked) + 1;

/// How many classes there are for how long something took (`durations.hpp`).
inline constexpr std::size_t duration_classes = 25;

}  // namespace filch::event
