#pragma once
// Memory that runs out by a seed: a rule refuses allocations of the library on simulated threads.
// Only for programs that define `will_allocate` by `scarce_memory::take`.
#include <filch/base/rng.hpp>

#include <cstdint>

namespace filch::inline v0_2::base {
class simulation;
}

namespace filch::inline v0_2::testing {

/// While it lives, some allocations of the simulated threads throw `std::bad_alloc`: a single one,
/// or one in so many, as the seed says. As those threads take turns, one seed always refuses the
/// same ones. Threads: the run's; the body owns the object. One at a time.
class scarce_memory {
 public:
  explicit scarce_memory(std::uint64_t seed) noexcept;
  ~scarce_memory() { end(); }
  scarce_memory(const scarce_memory&) = delete;
  scarce_memory& operator=(const scarce_memory&) = delete;

  /// From now on no allocation is refused.
  void end() noexcept;
  std::uint64_t refused() const noexcept { return refused_; }

  /// An allocation of this thread. Throws: `std::bad_alloc`, if it is refused.
  static void take();
  /// A release by this thread.
  static void give_back() noexcept;
  /// Blocks that simulated threads have taken and not given back, of all runs.
  static std::int64_t blocks_alive() noexcept;

 private:
  bool refuses() noexcept;

  /// The run of this rule: a run that fails leaves its rule behind, which must not apply to the
  /// next.
  const base::simulation* const sim_;
  base::split_mix64 random_;
  std::uint32_t one_in_ = 0;   ///< If not zero, one in so many is refused.
  std::uint32_t granted_ = 0;  ///< Else so many are granted before the one.
  std::uint64_t refused_ = 0;
};

/// While it lives, no allocation of its thread is refused: for what a test allocates for itself.
/// Not across a point where a coroutine may move to another thread.
class plenty {
 public:
  plenty() noexcept { ++depth; }
  ~plenty() { --depth; }
  plenty(const plenty&) = delete;
  plenty& operator=(const plenty&) = delete;
  static bool is_here() noexcept { return depth != 0; }

 private:
  static inline constinit thread_local int depth = 0;
};

}  // namespace filch::testing
