#pragma once
// Spawn: tasks that do nothing, by the ways in which programs make them: `batch`, ten thousand at a
// time by one that then awaits them; `chain`, each spawns the next; and `yield`, two that let each
// other run.
#include <cstdint>
#include <string>

namespace bench::spawn {

inline constexpr std::uint64_t tasks_of_a_batch = 10'000;
inline constexpr std::uint64_t default_tasks = 1'000'000;
inline constexpr const char* default_case = "batch";

enum class way { batch, chain, yield, none };

/// What `--case` and `--size` ask for; none if that makes no sense.
inline way asked_for(const std::string& name, std::uint64_t tasks) {
  if (tasks == 0 || tasks % tasks_of_a_batch != 0) return way::none;
  return name == "batch"   ? way::batch
         : name == "chain" ? way::chain
         : name == "yield" ? way::yield
                           : way::none;
}

inline constexpr const char* case_rule =
    "--case is batch, chain or yield, and --size a multiple of 10,000";

struct parameters {
  std::uint64_t tasks;  ///< Or how often they yield.
  way how;
};

/// Says what is wrong with the number of those that ran; empty when nothing.
inline std::string check(const parameters& p, std::uint64_t ran) {
  if (ran == p.tasks) return {};
  return std::to_string(ran) + " of " + std::to_string(p.tasks) + " ran";
}

}  // namespace bench::spawn
