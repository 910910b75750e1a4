#include <filch/span/analyze.hpp>

#include <filch/span/site_names.hpp>
#include <filch/span/strand_analyzer.hpp>

namespace filch::inline v0_2::span {

analysis::result analyze_call(void (*run)(void*), void* environment,
                              const analysis::options& options) {
  const analysis::costs costs = options.costs ? *options.costs : analysis::measured_costs();
  thread_pool& pool = options.pool != nullptr ? *options.pool : sched::lasting_pool_here();
  analysis::result found;
  pool.run([&] {
    strand_analyzer watcher(costs, options.clock);
    // Later the first unwatched fork on the slow path sends the next forks back to the fast one.
    sched::current_stack->pause_forks();
    run(environment);
    found = watcher.finish();
  });
  name_sites(found.sites);
  return found;
}

}  // namespace filch::span
