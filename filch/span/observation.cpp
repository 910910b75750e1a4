#include <filch/span/observation.hpp>

#include <filch/event/analysis_fields.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace filch::inline v0_2::span {
namespace {

constexpr std::uint32_t most_workers = 1u << 16;  ///< A record has 16 bits for a worker.
// The sums here are of slots' times, so 64 bits hold any sum, and two of them: 30 years, and 146
// years of all slots together.
constexpr std::int64_t longest_ns = std::int64_t{30} * 366 * 24 * 3600 * 1'000'000'000;
constexpr std::uint64_t most_fork_ps = 1'000'000'000;
constexpr std::int64_t most_slot_ns = std::int64_t{1} << 62;

std::string fault_of(const event::recording& from, const event::entry& each,
                     std::int64_t before_ns) {
  if (each.worker >= from.workers.size()) return "an entry names a worker that is not listed";
  if (each.at_ns < before_ns) return "its entries are not in order of time";
  if (each.at_ns > from.length_ns) return "an entry lies behind the end";
  if (each.what.amount > event::record::most)
    return "an entry has a greater amount than a record has room for";
  if (event::names_site(each.what.what) && each.what.amount >= from.sites.size())
    return "a job names a site that is not listed";
  return {};
}

}  // namespace

std::string find_fault(const event::recording& from) {
  if (from.pools.empty()) return "it has no pool";
  if (from.sites.empty()) return "it lacks site 0, the unknown one";
  if (from.length_ns < 0) return "its length is negative";
  if (from.length_ns > longest_ns) return "it is longer than 30 years";
  if (from.fork_ps > most_fork_ps) return "it says that a fork takes more than a millisecond";
  if (from.analyzed && !event::is_sound(*from.analyzed))
    return "its analysis holds a time that is none";
  if (from.graphs.size() > event::most_graphs) return "it has too many task graphs";
  if (!std::ranges::all_of(from.graphs, [](const auto& each) { return is_sound(each); }))
    return "a task graph has a time or an edge that is none";
  for (const event::recorded_pool& pool : from.pools) {
    if (pool.slot_count > event::record::most_slots) return "a pool has too many slots";
    if (pool.slot_count != 0 && from.length_ns > most_slot_ns / pool.slot_count)
      return "it is longer than so many slots can be accounted for";
  }
  for (const event::recorded_worker& who : from.workers) {
    if (who.pool >= from.pools.size()) return "a worker names a pool that is not listed";
    if (who.index >= most_workers) return "a worker has too great an index";
    if (who.complete_from_ns < 0) return "a worker is known from before the begin on";
  }
  std::int64_t before_ns = 0;
  for (const event::entry& each : from.entries) {
    if (std::string fault = fault_of(from, each, before_ns); !fault.empty()) return fault;
    before_ns = each.at_ns;
  }
  return {};
}

observation observe(const event::recording& from, std::uint32_t pool) {
  observation made;
  made.pool = pool;
  made.laid_out = lay_out(from, pool);
  made.spent = account_of(made.laid_out);
  made.idleness = attribute_idleness(made.laid_out, from.sites.size());
  made.seen = summarise(from, pool, made.laid_out, made.idleness);
  made.how_far = judge_trust(from, pool, made.laid_out);
  return made;
}

// In one pass over all records: laying out each pool would read them once for each pool.
std::vector<double> work_of_pools(const event::recording& from) {
  constexpr std::int64_t idle = -1;
  // The sum over all workers
  std::vector<double> work_ns(from.pools.size());
  std::vector<std::int64_t> since(from.workers.size(), idle);
  const auto stop = [&](std::uint32_t worker, std::int64_t now_ns) {
    const std::int64_t begin_ns = std::exchange(since[worker], idle);
    if (begin_ns != idle)
      work_ns[from.workers[worker].pool] += static_cast<double>(now_ns - begin_ns);
  };
  for (const event::entry& each : from.entries) {
    stop(each.worker, each.at_ns);
    const bool has_slot = each.what.slot < from.pools[from.workers[each.worker].pool].slot_count;
    if (has_slot && each.what.doing == event::activity::working) since[each.worker] = each.at_ns;
    if (each.what.what == event::kind::slept_in_job)
      work_ns[from.workers[each.worker].pool] -= each.what.amount * 1000.0;
  }
  for (std::uint32_t worker = 0; worker < since.size(); ++worker) stop(worker, from.length_ns);
  return work_ns;
}

std::uint32_t busiest_pool(const event::recording& from) {
  const std::vector<double> work_ns = work_of_pools(from);
  return static_cast<std::uint32_t>(std::ranges::max_element(work_ns) - work_ns.begin());
}

std::string name_of(const event::recording& from, std::uint32_t site) {
  if (site == 0 || site >= from.sites.size()) return "outside any recorded job";
  return text_of(from.sites[site]);
}

}  // namespace filch::span
