#include <filch/span/observation.hpp>

#include <filch/event/analysis_fields.hpp>

#include <algorithm>

namespace filch::span {
namespace {

constexpr std::uint32_t most_workers = 1u << 16;  ///< A record has 16 bits for a worker.

std::string fault_of(const event::recording& from, const event::entry& each, std::int64_t before_ns) {
  if (each.worker >= from.workers.size()) return "an entry names a worker that is not listed";
  if (each.at_ns < before_ns) return "its entries are not in order of time";
  if (each.at_ns > from.length_ns) return "an entry lies behind the end";
  if (event::names_site(each.what.what) && each.what.amount >= from.sites.size())
    return "a job names a site that is not listed";
  return {};
}

}  // namespace

std::string find_fault(const event::recording& from) {
  if (from.pools.empty()) return "it has no pool";
  if (from.sites.empty()) return "it lacks site 0, the unknown one";
  if (from.length_ns < 0) return "its length is negative";
  if (from.analysed && !event::is_sound(*from.analysed)) return "its analysis holds a time that is none";
  for (const event::recorded_pool& pool : from.pools) {
    if (pool.slots > event::record::most_slots) return "a pool has too many slots";
  }
  for (const event::recorded_worker& who : from.workers) {
    if (who.pool >= from.pools.size()) return "a worker names a pool that is not listed";
    if (who.index >= most_workers) return "a worker has too great an index";
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
  made.idleness = blame_idleness(made.laid_out, from.sites.size());
  made.seen = summarise(from, pool, made.laid_out, made.idleness);
  made.how_far = judge_trust(from, pool, made.laid_out);
  return made;
}

std::uint32_t busiest_pool(const event::recording& from) {
  std::uint32_t busiest = 0;
  std::int64_t most_ns = -1;
  for (std::uint32_t pool = 0; pool < from.pools.size(); ++pool) {
    const std::int64_t work_ns = account_of(lay_out(from, pool))[use::working];
    if (work_ns > most_ns) busiest = pool;
    most_ns = std::max(most_ns, work_ns);
  }
  return busiest;
}

std::string name_of(const event::recording& from, std::uint32_t site) {
  if (site == 0 || site >= from.sites.size()) return "outside any recorded job";
  return text_of(from.sites[site]);
}

}  // namespace filch::span
