#include <tools/cli/explain/story.hpp>

#include <algorithm>

namespace filch::cli::explain {

namespace {

/// Ticks of a task in the trees: several times what a steal or an access to a shared queue takes.
constexpr std::uint32_t task_ticks = 6;

scene played(std::string_view id, std::string_view title, std::string_view about,
             sim::computation what, std::uint64_t seed) {
  scene made{.id = id, .title = title, .about = about, .what = std::move(what), .runs = {}};
  for (const sim::discipline_text& each : sim::disciplines()) {
    if (each.which == sim::discipline::continuation_stealing && !made.what.has_continuations())
      continue;
    made.runs.push_back({&each, sim::simulate(made.what, each.which, worker_count, seed)});
  }
  return made;
}

}  // namespace

std::uint64_t scene::longest() const {
  return std::ranges::max(runs, {}, [](const run& each) { return each.told.makespan; })
      .told.makespan;
}

story tell(std::uint64_t seed) {
  story all{.seed = seed, .scenes = {}, .duels = sim::chase_lev::scenes()};
  all.scenes.push_back(played("balanced", "Balanced tree",
                              "A tree whose branches are all alike. Cutting it in advance is "
                              "perfect here, and stealing costs next to nothing.",
                              sim::balanced_tree(5, task_ticks), seed));
  all.scenes.push_back(played("skewed", "Skewed tree",
                              "A quicksort whose pivots are off: of two branches one is three "
                              "times as big, and nobody knows in advance.",
                              sim::skewed_tree(16, task_ticks), seed));
  all.scenes.push_back(played("loop", "Uneven loop",
                              "A loop over 16 iterations, halved down to single ones. Each takes "
                              "longer than the one before.",
                              sim::growing_loop(16), seed));
  all.scenes.push_back(played("fork_join", "Fork and join",
                              "A function f forks g1, g2 and g3, calls h, and joins. What may a "
                              "thief take: a child, or the rest of f?",
                              sim::fork_join_function(), seed));
  return all;
}

sim::picture picture_after(const scene& shown, const run& of, std::size_t step_count) {
  sim::picture now{shown.what.task_count(), worker_count};
  for (std::size_t i = 0; i < step_count; ++i) sim::forward(now, of.told.steps[i]);
  return now;
}

}  // namespace filch::cli::explain
