#pragma once
#include <filch/sim/chase_lev/scenes.hpp>
#include <filch/sim/scheduler.hpp>

namespace filch::cli::explain {

inline constexpr std::uint32_t worker_count = 4;

/// What one scheduler made of the scene's computation.
struct run {
  const sim::discipline_text* scheduler;
  sim::history told;
};

/// One computation under all schedulers that it makes sense for.
struct scene {
  std::string_view id, title, about;
  sim::computation what;
  std::vector<run> runs;

  std::uint64_t longest() const;
};

/// All that is shown. The same seed tells the same story.
struct story {
  std::uint64_t seed;
  std::vector<scene> scenes;
  std::vector<sim::chase_lev::scene> duels;
};

story tell(std::uint64_t seed);
/// The picture after the first `step_count` steps.
sim::picture picture_after(const scene& shown, const run& of, std::size_t step_count);

}  // namespace filch::cli::explain
