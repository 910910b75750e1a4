// Rules about the size of jobs.
#include <filch/span/overlay.hpp>
#include <filch/span/text.hpp>
#include <filch/span/verdict_rules.hpp>

#include <map>

namespace filch::inline v0_2::span {

namespace {

/// The cost of one job as the last one: its worker was the only one that worked.
struct tail {
  const job* last = nullptr;
  std::int64_t alone_ns = 0;
  std::int64_t idle_ns = 0;
};

class tail_finder {
 public:
  explicit tail_finder(const timeline& from) : from_{from}, tails_(from.jobs.size()) {
    for (std::size_t i = 0; i < from.jobs.size(); ++i) {
      if (!from.jobs[i].in_place) by_worker_[from.jobs[i].worker].push_back(i);
    }
  }

  tail longest() {
    for_each_moment(from_, [&](time_range when, const std::vector<const interval*>& held,
                               const vacancy& free) { see(when, held, free); });
    const auto most = std::ranges::max_element(tails_, {}, &tail::idle_ns);
    return most == tails_.end() ? tail{} : *most;
  }

 private:
  void see(time_range when, const std::vector<const interval*>& held, const vacancy& free) {
    const auto works = [](const interval* s) { return s->what == state::working; };
    if (std::ranges::count_if(held, works) != 1) return;
    const interval& alone = **std::ranges::find_if(held, works);
    for_each_outermost_job(alone.worker, when, [&](std::size_t running) {
      const std::int64_t alone_ns = overlap(from_.jobs[running].when, when).length_ns();
      tail& its = tails_[running];
      its.last = &from_.jobs[running];
      its.alone_ns += alone_ns;
      its.idle_ns += alone_ns * (from_.slot_count - free.unknown - 1);
    });
  }

  // Jobs of one worker are in order of their begin, inner ones after outer ones. No worker's state
  // changes between two jobs of one site.
  template <class F>
  void for_each_outermost_job(std::uint32_t worker, time_range when, F&& f) {
    const std::vector<std::size_t>& its = by_worker_[worker];
    std::int64_t now_ns = when.begin_ns;
    for (std::size_t& next = passed_[worker]; next < its.size(); ++next) {
      const time_range ran = from_.jobs[its[next]].when;
      if (ran.begin_ns >= when.end_ns) return;
      if (ran.end_ns > now_ns) f(its[next]);
      if (ran.end_ns > when.end_ns) return;
      now_ns = std::max(now_ns, ran.end_ns);
    }
  }

  const timeline& from_;
  std::vector<tail> tails_;
  std::map<std::uint32_t, std::vector<std::size_t>> by_worker_;
  std::map<std::uint32_t, std::size_t> passed_;
};

/// Share of the time in which every slot worked for which there is a processor.
double fully_used(const timeline& from, std::uint32_t usable_slots) {
  std::int64_t full_ns = 0;
  for_each_moment(from,
                  [&](time_range when, const std::vector<const interval*>& held, const vacancy&) {
                    const auto working = std::ranges::count_if(
                        held, [](const interval* s) { return s->what == state::working; });
                    if (static_cast<std::uint32_t>(working) >= usable_slots)
                      full_ns += when.length_ns();
                  });
  return from.length_ns == 0 ? 0
                             : static_cast<double>(full_ns) / static_cast<double>(from.length_ns);
}

/// The cost of a job that went through a queue: to allocate, queue, take and free it. Recordings do
/// not show it: it counts as part of the job, or of the job that made it. A guess on the low side:
/// if two workers share a group's jobs of 100 ns, one begins every 1.1 us.
constexpr std::int64_t taking_from_queue_ns = 200;

std::uint64_t jobs_from_queues(const timeline& from) {
  const auto was_queued = [](const job& j) { return !j.in_place && !event::is_worker(j.from); };
  return static_cast<std::uint64_t>(std::ranges::count_if(from.jobs, was_queued));
}

struct fork_costs {
  double share = 0;    ///< Of the time in jobs.
  double work_ns = 0;  ///< From one fork to the next, without the fork.
  double forks = 0;
};

fork_costs cost_of_forks(const budget& spent, std::uint64_t forks) {
  if (forks == 0 || spent.work_ns() == 0) return {};
  return {static_cast<double>(spent[use::forking]) / static_cast<double>(spent.work_ns()),
          static_cast<double>(spent[use::working]) / static_cast<double>(forks),
          static_cast<double>(forks)};
}

fork_costs cost_of_forks(const analysis::result& watched) {
  if (watched.forks == 0 || watched.work_ns <= 0) return {};
  const auto forks = static_cast<double>(watched.forks);
  return {std::min(1.0, watched.fork_overhead_ns / watched.work_ns),
          std::max(0.0, watched.work_ns - watched.fork_overhead_ns) / forks, forks};
}

/// The costs of forks in this run or, if no samples show them, in the watched one beside it.
fork_costs cost_of_forks(const evidence& e) {
  if (e.recorded.analyzed) return cost_of_forks(*e.recorded.analyzed);
  const fork_costs here = cost_of_forks(e.seen.spent, e.seen.how_far.forks_estimated);
  if (e.on_one_worker.watched == nullptr) return here;
  const fork_costs watched = cost_of_forks(*e.on_one_worker.watched);
  return watched.share > here.share ? watched : here;
}

// A fork is a few nanoseconds, so these are jobs of less than a tenth of a microsecond.
std::optional<finding> forks_too_small(evidence& e) {
  const fork_costs forks = cost_of_forks(e);
  if (forks.share < worth_saying) return {};
  const double in_jobs = e.recorded.analyzed ? 1 : e.share(e.seen.spent.work_ns());
  return finding{fault::grain_too_fine,
                 forks.share * in_jobs,
                 "Jobs are too small: forking takes " + percent_text(forks.share * in_jobs) +
                     " of the time. Between two forks lie " + duration_text(forks.work_ns) +
                     " of work.",
                 {{"forking", forks.share * in_jobs, "share"},
                  {"work_a_fork", forks.work_ns, "ns"},
                  {"forks", forks.forks, "jobs"}},
                 "Stop forking earlier and call a plain function for the rest: a microsecond of "
                 "work or more for each fork. parallel_for does so by itself."};
}

}  // namespace

// Taking a job costs thief and victim; for a job ten times as long that is a tenth. Fewer than
// thirty jobs have no useful median.
std::optional<finding> grain_too_fine(evidence& e) {
  if (auto forks = forks_too_small(e)) {
    e.is_fine = true;
    return forks;
  }
  if (e.recorded.analyzed) return {};  // its jobs are from no queue, and no thief took them
  constexpr std::uint64_t enough_jobs = 30;
  constexpr double least_ratio = 10;
  const summary& s = e.seen.seen;
  if (s.jobs.count() < enough_jobs) return {};
  const std::uint64_t queued = jobs_from_queues(e.seen.laid_out);
  const bool are_queued = queued > s.jobs.count() / 2;
  const auto typical = static_cast<double>(s.jobs.median_ns()),
             taking = static_cast<double>(are_queued ? taking_from_queue_ns : s.taking.mean_ns());
  if (typical >= least_ratio * taking) return {};
  const budget& b = e.seen.spent;
  const std::int64_t idle_ns = b[use::stealing] + b[use::searching] + b[use::neglected];
  const double cost =
      std::min(1.0, e.share(idle_ns + static_cast<std::int64_t>(queued) * taking_from_queue_ns));
  if (cost < worth_saying) return {};
  e.explain(idle_ns);
  e.is_fine = true;
  return finding{fault::grain_too_fine,
                 cost,
                 "Jobs are too small to share: half of them end within " + duration_text(typical) +
                     ", and taking one costs " + duration_text(taking) + ".",
                 {{"median_job", typical, "ns"},
                  {"taking_one", taking, "ns"},
                  {"jobs", static_cast<double>(s.jobs.count()), "jobs"},
                  {"stealing_searching_neglected", e.share(idle_ns), "share"}},
                 "Fork larger jobs: stop forking below some tens of microseconds, or let "
                 "parallel_for choose the grain."};
}

// A tenth of all time, because of one job of at least three times the median. If jobs are alike,
// their number is the fault.
std::optional<finding> long_tail(evidence& e) {
  const tail last = tail_finder{e.seen.laid_out}.longest();
  const std::int64_t idle_ns = std::min(last.idle_ns, e.unexplained_idle_ns);
  const double cost = e.share(idle_ns);
  if (last.last == nullptr || cost < 2 * worth_saying) return {};
  const auto lasted = static_cast<double>(last.last->when.length_ns()),
             typical = static_cast<double>(e.seen.seen.jobs.median_ns());
  if (e.seen.seen.jobs.count() < 2 || lasted < 3 * typical) return {};
  e.explain(idle_ns);
  return finding{fault::long_tail,
                 cost,
                 "One long tail: a job of " + name_of(e.recorded, last.last->site) +
                     " ran alone for " + duration_text(static_cast<double>(last.alone_ns)) +
                     " while the others idled.",
                 {{"job", lasted, "ns"},
                  {"alone", static_cast<double>(last.alone_ns), "ns"},
                  {"median_job", typical, "ns"},
                  {"idle_meanwhile", cost, "share"}},
                 "Divide that job, or begin it first."};
}

namespace {

/// All that others could have taken: jobs with a record of their own, and forks without one.
std::uint64_t count_of_jobs(const timeline& from) {
  const std::uint64_t known = from.jobs.size();
  const auto in_place =
      static_cast<std::uint64_t>(std::ranges::count_if(from.jobs, &job::in_place));
  return std::max(known, known - in_place + from.forks);
}

}  // namespace

// With k equal jobs a slot the last round can leave one part in k + 1 of a slot's time idle: more
// than a tenth below eight. There is enough work, since for a quarter of the time every slot
// worked, but its jobs are too large. Jobs that others could have taken count, also those that none
// took. While no slot works there are no jobs of any size.
std::optional<finding> grain_too_coarse(evidence& e) {
  constexpr std::uint64_t enough_for_a_slot = 8;
  const summary& s = e.seen.seen;
  const std::uint32_t slots = e.usable_slots();
  if (e.is_fine || slots < 2 || s.jobs.count() < 2 ||
      count_of_jobs(e.seen.laid_out) >= enough_for_a_slot * slots)
    return {};
  const idle_attribution& idleness = e.seen.idleness;
  const std::int64_t idle_ns =
      std::min(idleness.total_ns() - idleness.nobodys_ns, e.unexplained_idle_ns);
  const double cost = e.share(idle_ns);
  if (cost < 2 * worth_saying || fully_used(e.seen.laid_out, slots) < 0.25) return {};
  e.explain(idle_ns);
  return finding{fault::grain_too_coarse,
                 cost,
                 "Jobs are too large: " + std::to_string(s.jobs.count()) + " for " +
                     std::to_string(slots) + " slots leave " + percent_text(cost) +
                     " of the time idle while the last ones run.",
                 {{"jobs", static_cast<double>(s.jobs.count()), "jobs"},
                  {"median_job", static_cast<double>(s.jobs.median_ns()), "ns"},
                  {"idle", cost, "share"}},
                 "Fork smaller jobs, eight for each slot or more; where forks cost next to "
                 "nothing, more do no harm."};
}

}  // namespace filch::span
