#pragma once
#include <filch/event/counters.hpp>
#include <filch/event/record.hpp>

namespace filch::inline v0_2::event {

/// The data of an event beside its kind.
struct details {
  std::uint64_t count = 1;               ///< How often it happened: what counters add.
  std::uint16_t other = record::nobody;  ///< As in `record`, like the next two.
  std::uint32_t amount = 0;
  ready_work ready = ready_work::not_looked;

  /// For kinds whose amount is a number of times.
  static constexpr details times(std::uint64_t count) noexcept {
    return {count, record::nobody,
            static_cast<std::uint32_t>(count < record::most ? count : record::most)};
  }
  /// For kinds with another worker.
  static constexpr details with(std::uint32_t worker) noexcept {
    return {1, worker < record::outside ? static_cast<std::uint16_t>(worker) : record::nobody};
  }
  /// For a steal from a worker that has `left` forks left for others.
  static constexpr details won_from(std::uint32_t worker, std::uint32_t left) noexcept {
    details made = with(worker);
    made.amount = seen_takeable(left);
    return made;
  }
};

/// Counts that `what` happened to the worker that owns `mine`. If a session records, the worker
/// also records it.
inline void count_event(counters& mine, kind what, const details& about = {}) noexcept {
  mine.add(what, about.count);
}

}  // namespace filch::event
