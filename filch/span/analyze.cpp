#include <filch/span/analyze.hpp>

#include <filch/base/clock.hpp>
#include <filch/span/strand_analyser.hpp>
#include <filch/trace/process_files.hpp>
#include <filch/trace/symbols.hpp>

#include <unistd.h>

#include <utility>

namespace filch::span {
namespace {

void name(std::vector<analysed_site>& sites) {
  std::vector<event::call_site> named;
  for (analysed_site& each : sites) named.push_back(std::move(each.where));
  trace::name_sites(named, trace::executable_lines(::getpid()));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    sites[i].where = std::move(named[i]);
    if (sites[i].where.address == 0) sites[i].where.name = "outside every fork";
  }
}

}  // namespace

analysis analyze_call(void (*run)(void*), void* environment, const analysis_options& options) {
  const analysis_costs costs = options.costs ? *options.costs : measured_costs();
  thread_pool& pool = options.pool != nullptr ? *options.pool : pool_here();
  analysis found;
  pool.run([&] {
    const std::uint64_t begin_ns = base::now_ns();
    strand_analyser watcher(costs, options.clock);
    // Afterwards the first fork on the slow path, which nobody watches any more, sends the next ones back to the fast one.
    sched::current_stack->pause_forks();
    run(environment);
    found = watcher.finish();
    found.watched_ns = static_cast<double>(base::now_ns() - begin_ns);
  });
  name(found.sites);
  return found;
}

}  // namespace filch::span
