#include <tools/cli/live/load.hpp>

#include <algorithm>
#include <map>
#include <numeric>

namespace filch::cli {

namespace {

using event::kind;

/// What counters count up, less what they said before; nothing if a new worker began to count
/// meanwhile.
std::uint64_t grown(std::uint64_t before, std::uint64_t now) noexcept {
  return now > before ? now - before : 0;
}

/// Counters are read a moment after the clock: of what ended meanwhile they tell more time than
/// there was until then.
void make_whole(load& of) noexcept {
  const double sum = std::accumulate(of.shares.begin(), of.shares.end(), 0.0);
  if (sum <= 1) return;
  for (double& share : of.shares) share /= sum;
}

load load_of(const event::counted& before, std::uint64_t before_ticks, const event::counted& now,
             std::uint64_t now_ticks, double seconds) {
  load made;
  const auto elapsed =
      static_cast<double>(std::max<std::uint64_t>(grown(before_ticks, now_ticks), 1));
  for (std::size_t i = 0; i < shown_states.size(); ++i) {
    const event::activity what = shown_states[i].what;
    const std::uint64_t spent = grown(event::spent_ticks(before, what, before_ticks),
                                      event::spent_ticks(now, what, now_ticks));
    made.shares[i] = static_cast<double>(spent) / elapsed;
  }
  make_whole(made);
  const auto rate = [&](kind what) {
    return static_cast<double>(grown(before.count(what), now.count(what))) / seconds;
  };
  made.jobs_per_second = rate(kind::job_run);
  made.steals_per_second = rate(kind::steal_won);
  return made;
}

bool was_there(const worker_load& of) {
  return of.doing != event::activity::away ||
         std::ranges::any_of(of.since.shares, [](double share) { return share > 0; });
}

void add(load& total, const load& one, double weight) {
  for (std::size_t i = 0; i < total.shares.size(); ++i) total.shares[i] += one.shares[i] * weight;
  total.jobs_per_second += one.jobs_per_second;
  total.steals_per_second += one.steals_per_second;
}

nlohmann::json json_of_load(const load& of) {
  nlohmann::json shares;
  for (std::size_t i = 0; i < shown_states.size(); ++i)
    shares[std::string{event::name_of(shown_states[i].what)}] = of.shares[i];
  return {{"share", shares},
          {"jobs_per_second", of.jobs_per_second},
          {"steals_per_second", of.steals_per_second}};
}

}  // namespace

process_load compare(const trace::counted_process& before, const trace::counted_process& now) {
  process_load made;
  made.seconds =
      static_cast<double>(std::max<std::uint64_t>(grown(before.now_ticks, now.now_ticks), 1)) *
      now.ns_per_tick * 1e-9;
  std::map<std::uint64_t, event::counted> earlier;
  for (const trace::counted_worker& each : before.workers)
    earlier.emplace(each.who.pack(), each.counters);
  std::map<std::uint32_t, std::uint32_t> slots;
  for (const trace::counted_worker& each : now.workers) {
    const auto known = earlier.find(each.who.pack());
    const event::counted& from = known == earlier.end() ? each.counters : known->second;
    worker_load one{each.who,
                    each.counters.doing(),
                    each.ready_jobs,
                    load_of(from, before.now_ticks, each.counters, now.now_ticks, made.seconds),
                    0,
                    {}};
    if (!was_there(one)) continue;
    slots[each.who.pool] = each.slot_count;
    made.ready_jobs += one.ready_jobs;
    made.workers.push_back(one);
  }
  for (const auto& [pool, count] : slots) made.slot_count += count;
  for (const worker_load& each : made.workers)
    add(made.total, each.since, 1.0 / static_cast<double>(made.workers.size()));
  return made;
}

nlohmann::json to_json(const process_load& shown) {
  nlohmann::json workers = nlohmann::json::array();
  for (const worker_load& each : shown.workers) {
    nlohmann::json one = json_of_load(each.since);
    one.update({{"pool", each.who.pool},
                {"worker", each.who.index},
                {"state", each.state()},
                {"asleep", each.asleep},
                {"waits_in", each.waits_in},
                {"ready_jobs", each.ready_jobs}});
    workers.push_back(one);
  }
  return {{"process", shown.process_id},
          {"program", shown.program},
          {"seconds", shown.seconds},
          {"slots", shown.slot_count},
          {"ready_jobs", shown.ready_jobs},
          {"total", json_of_load(shown.total)},
          {"workers", workers},
          {"verdict", shown.judged.sentence}};
}

}  // namespace filch::cli
