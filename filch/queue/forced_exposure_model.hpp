#pragma once
// Owners of a fork stack that pop and fork while thieves expose by force, with each way to fence.
#include <filch/queue/fork_scenario_model.hpp>

#include <type_traits>

namespace filch::inline v0_2::queue {

using testing::checked_fenceless_sync;
using testing::checked_membarrier_sync;
using testing::checked_sync;

template <class Sync, int Thieves, pops Pops = pops::private_first>
struct forced_under_a_popping_owner : fork_scenario<Sync, Thieves, Pops> {
  // A third preemption with two thieves takes 17 s and found nothing
  static constexpr unsigned context_bound = 4 - Thieves;
  // 10.7 million states
  static constexpr bool is_large = Thieves == 2 && std::is_same_v<Sync, checked_membarrier_sync>;
  static constexpr unsigned preemption_bound = is_large ? 3 : ~0U;
  void owner() override {
    this->fork();
    this->fork();
    this->join_all();
  }
  void thief() override { this->force_and_rob(); }
};

/// The owner pops, forks on the same entry and pops again, so that a forced exposure may come
/// between any two.
template <class Sync, int Thieves, pops Pops = pops::private_first>
struct forced_under_a_forking_owner : fork_scenario<Sync, Thieves, Pops> {
  static constexpr bool is_large = Thieves == 2 && std::is_same_v<Sync, checked_membarrier_sync>;
  static constexpr unsigned preemption_bound = is_large ? 3 : ~0U;
  void owner() override {
    this->fork();
    if (!this->join()) return;
    this->fork();
    this->join_all();
  }
  void thief() override { this->force_and_rob(); }
};

template <int Thieves>
using popping_by_fences = forced_under_a_popping_owner<checked_sync, Thieves>;
template <int Thieves>
using popping_by_membarrier = forced_under_a_popping_owner<checked_membarrier_sync, Thieves>;
template <int Thieves>
using popping_without_pair = forced_under_a_popping_owner<checked_fenceless_sync, Thieves>;
template <int Thieves>
using settling_without_pair =
    forced_under_a_popping_owner<checked_fenceless_sync, Thieves, pops::always_settling>;
template <int Thieves>
using pausing_by_membarrier =
    forced_under_a_popping_owner<checked_membarrier_sync, Thieves, pops::paused>;
template <int Thieves>
using pausing_without_pair =
    forced_under_a_popping_owner<checked_fenceless_sync, Thieves, pops::paused>;
template <int Thieves>
using forking_by_fences = forced_under_a_forking_owner<checked_sync, Thieves>;
template <int Thieves>
using forking_by_membarrier = forced_under_a_forking_owner<checked_membarrier_sync, Thieves>;
template <int Thieves>
using forking_without_pair = forced_under_a_forking_owner<checked_fenceless_sync, Thieves>;
template <int Thieves>
using resettling_without_pair =
    forced_under_a_forking_owner<checked_fenceless_sync, Thieves, pops::always_settling>;

}  // namespace filch::queue
