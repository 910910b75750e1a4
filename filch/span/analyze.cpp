#include <filch/span/analyze.hpp>

#include <filch/span/analysed_sites.hpp>
#include <filch/span/strand_analyser.hpp>

namespace filch::span {

analysis analyze_call(void (*run)(void*), void* environment, const analysis_options& options) {
  const analysis_costs costs = options.costs ? *options.costs : measured_costs();
  thread_pool& pool = options.pool != nullptr ? *options.pool : sched::lasting_pool_here();
  analysis found;
  pool.run([&] {
    strand_analyser watcher(costs, options.clock);
    // Later the first unwatched fork on the slow path sends the next forks back to the fast one.
    sched::current_stack->pause_forks();
    run(environment);
    found = watcher.finish();
  });
  name_sites(found.sites);
  return found;
}

}  // namespace filch::span
