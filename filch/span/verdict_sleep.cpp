// Rules about jobs that sleep in the kernel.
#include <filch/span/overlay.hpp>
#include <filch/span/text.hpp>
#include <filch/span/verdict_rules.hpp>

namespace filch::inline v0_2::span {

namespace {

struct company {
  std::int64_t wall_ns = 0;   ///< Two or more worked at once.
  std::int64_t work_ns = 0;   ///< Theirs, together.
  std::int64_t awake_ns = 0;  ///< Of that, not asleep.
};

company work_in_company(const timeline& from) {
  company made;
  for_each_moment(from,
                  [&](time_range when, const std::vector<const interval*>& held, const vacancy&) {
                    company now{when.length_ns(), 0, 0};
                    unsigned working = 0;
                    for (const interval* whole : held) {
                      if (whole->what != state::working) continue;
                      ++working;
                      const interval part = cut(*whole, when);
                      now.work_ns += part.when.length_ns();
                      now.awake_ns += part.when.length_ns() - part.slept_ns;
                    }
                    if (working < 2) return;
                    made.wall_ns += now.wall_ns;
                    made.work_ns += now.work_ns;
                    made.awake_ns += now.awake_ns;
                  });
  return made;
}

/// The share of its time in jobs that one worker slept. Time outside the pool does not count, nor
/// the number of slots of a watched run.
double slept_alone(const lone_run& alone) {
  if (alone.seen == nullptr) return 0;
  const auto blocked = static_cast<double>(alone.seen->spent[use::blocked]);
  const auto in_jobs = blocked + static_cast<double>(alone.work_ns());
  return in_jobs > 0 ? blocked / in_jobs : 0;
}

/// The least that workers sleep beyond what one sleeps alone, as a share of their time in jobs.
constexpr double sleep_for_others = worth_saying;

bool sleeps_only_in_company(const evidence& e) {
  const auto asleep = static_cast<double>(e.seen.spent[use::blocked]);
  const auto in_jobs = asleep + static_cast<double>(e.seen.spent.work_ns());
  return e.on_one_worker.seen != nullptr && in_jobs > 0 && e.seen.spent.slot_count >= 2 &&
         asleep / in_jobs - 2 * slept_alone(e.on_one_worker) >= sleep_for_others;
}

// A lock lets one worker at a time go on, so of all workers in jobs about one is awake. Waits for a
// disk or a network have no such number. The bounds leave room for work outside the lock. If run
// delay is mixed in, the number tells nothing. On one worker no job does, so a second
// recording shows any.
bool is_convoy(const evidence& e, const company& together) {
  if (e.on_one_worker.seen != nullptr) return sleeps_only_in_company(e);
  const bool is_clear =
      e.share(use::blocked) >= 2 * worth_saying && e.seen.spent.delayed_share() < 2 * worth_saying;
  if (together.wall_ns == 0 || !is_clear) return false;
  const double working =
      static_cast<double>(together.work_ns) / static_cast<double>(together.wall_ns);
  const double awake =
      static_cast<double>(together.awake_ns) / static_cast<double>(together.wall_ns);
  return awake >= 0.9 && awake <= 1.3 && awake <= 0.7 * working;
}

/// The time of slots that were free while as many workers were in `blocking` or in another pool.
std::int64_t starved_for_the_blocked_ns(const timeline& from) {
  std::vector<std::pair<std::int64_t, int>> changes;
  for (const interval& s : from.intervals) {
    if (s.what != state::blocked || s.holds_slot()) continue;
    changes.insert(changes.end(), {{s.when.begin_ns, 1}, {s.when.end_ns, -1}});
  }
  std::ranges::sort(changes);
  std::int64_t sum = 0;
  std::int64_t blocked = 0;
  std::size_t vacant = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    blocked += changes[i].second;
    const time_range now{changes[i].first, changes[i + 1].first};
    if (blocked == 0) continue;
    while (vacant < from.vacancies.size() && from.vacancies[vacant].when.end_ns <= now.begin_ns)
      ++vacant;
    for (std::size_t v = vacant;
         v < from.vacancies.size() && from.vacancies[v].when.begin_ns < now.end_ns; ++v) {
      const vacancy& free = from.vacancies[v];
      sum += overlap(free.when, now).length_ns() * std::min<std::int64_t>(free.starved, blocked);
    }
  }
  return sum;
}

}  // namespace

std::optional<finding> lock_convoy(evidence& e) {
  const double cost = e.share(use::blocked);
  if (!e.is_worth_saying(e.seen.spent[use::blocked])) return {};
  const company together = work_in_company(e.seen.laid_out);
  e.is_convoy = is_convoy(e, together);
  if (!e.is_convoy) return {};
  const double wall = std::max(static_cast<double>(together.wall_ns), 1.0);
  const double working = static_cast<double>(together.work_ns) / wall,
               awake = static_cast<double>(together.awake_ns) / wall;
  return finding{fault::lock_convoy,
                 cost,
                 e.on_one_worker.seen == nullptr
                     ? "Jobs queue for one lock: of " + number_text(working) +
                           " that run at once, " + number_text(awake) + " are awake."
                     : "Jobs wait for each other, as for a lock: they sleep for " +
                           percent_text(cost) + " of the time, and on one worker hardly.",
                 {{"blocked", cost, "share"},
                  {"running_at_once", working, "workers"},
                  {"awake_of_these", awake, "workers"}},
                 "Hold the lock for less, or give each worker its own copy (worker_local, a "
                 "reducer) and combine in the end."};
}

std::optional<finding> blocked_workers(evidence& e) {
  if (e.is_convoy) return {};
  const double asleep = e.share(use::blocked);
  // Blocking calls that begin and end beside each other leave some gaps in any program
  const std::int64_t gaps_ns =
      std::min(e.beyond_delay(starved_for_the_blocked_ns(e.seen.laid_out)), e.unexplained_idle_ns);
  const std::int64_t starved_ns = e.share(gaps_ns) < 2 * worth_saying ? 0 : gaps_ns;
  const double cost = asleep + e.share(starved_ns);
  if (!e.is_worth_saying(e.seen.spent[use::blocked] + starved_ns)) return {};
  e.explain(starved_ns);
  const bool keeps_slots = asleep >= e.share(starved_ns);
  return finding{
      fault::blocked_workers,
      cost,
      keeps_slots ? "Jobs sleep in the kernel and keep their slots: " + percent_text(asleep) +
                        " of the time went that way."
                  : "While workers wait in the kernel there is nothing else to run, for " +
                        percent_text(cost) + " of the time.",
      {{"asleep_with_slot", asleep, "share"}, {"starved_meanwhile", e.share(starved_ns), "share"}},
      keeps_slots
          ? "If they wait for a lock, hold it for less. If for a disk or a network, wrap that in "
            "filch::blocking, so that the slot goes to another job."
          : "Start what waits earlier, or more of it at a time, so that other jobs fill the gap."};
}

}  // namespace filch::span
