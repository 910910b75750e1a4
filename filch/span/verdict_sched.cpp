// Rules about the scheduler, and about the idle time that no other rule explains.
#include <filch/span/overlay.hpp>
#include <filch/span/serial_part.hpp>
#include <filch/span/text.hpp>
#include <filch/span/verdict_rules.hpp>

namespace filch::inline v0_2::span {

namespace {

std::int64_t woken_for_ns(const timeline& from) {
  std::int64_t sum = 0;
  for (const vacancy& v : from.vacancies) sum += v.when.length_ns() * v.woken_for;
  return sum;
}

/// Share of the time in which no slot worked.
double unused(const timeline& from) {
  std::int64_t unused_ns = 0;
  for_each_moment(
      from, [&](time_range when, const std::vector<const interval*>& held, const vacancy& free) {
        const auto works = [](const interval* s) { return s->what == state::working; };
        if (free.unknown == 0 && std::ranges::none_of(held, works)) unused_ns += when.length_ns();
      });
  return from.length_ns == 0 ? 0
                             : static_cast<double>(unused_ns) / static_cast<double>(from.length_ns);
}

/// Which code that was; empty if no site is known.
std::string where_text(const evidence& e) {
  const serial_part alone = find_serial_part(e.seen);
  if (alone.site == 0) return {};
  return (alone.is_before ? " Most of that was before " : " Most of that was beside ") +
         name_of(e.recorded, alone.site) + ".";
}

/// For a pool that is idle most of the time: jobs that run alone are not the cause.
finding mostly_unused(const evidence& e, double cost, double unused_share) {
  return finding{
      fault::too_little_parallelism,
      cost,
      "Too little parallelism: for " + percent_text(unused_share) +
          " of the time no job ran at all; what the program did then, it did outside the pool." +
          where_text(e),
      {{"unused", unused_share, "share"}},
      "What runs outside the pool runs alone: make jobs of it, or let it overlap with those there "
      "are."};
}

}  // namespace

std::optional<finding> wake_latency(evidence& e) {
  const std::int64_t lost_ns =
      std::min(e.beyond_delay(woken_for_ns(e.seen.laid_out)), e.unexplained_idle_ns);
  const double cost = e.share(lost_ns);
  if (!e.is_worth_saying(lost_ns)) return {};
  e.explain(lost_ns);
  const durations& waking = e.seen.seen.waking;
  return finding{fault::wake_latency,
                 cost,
                 "Woken workers come late, " +
                     duration_text(static_cast<double>(waking.median_ns())) +
                     " at the median, which costs " + percent_text(cost) + " of the time.",
                 {{"median_wake", static_cast<double>(waking.median_ns()), "ns"},
                  {"longest_wake", static_cast<double>(waking.longest_ns()), "ns"},
                  {"wakes", static_cast<double>(waking.count()), "wakes"},
                  {"on_their_way", cost, "share"}},
                 "Put parallel parts together, so that workers need not sleep in between; deep "
                 "sleep states of the processors and busy "
                 "neighbours make wakes slow."};
}

std::optional<finding> neglected_work(evidence& e) {
  const std::int64_t lost_ns =
      std::min(e.seen.spent[use::neglected] - woken_for_ns(e.seen.laid_out), e.unexplained_idle_ns);
  const double cost = e.share(lost_ns);
  if (!e.is_worth_saying(lost_ns)) return {};
  e.explain(lost_ns);
  return finding{
      fault::neglected_work,
      cost,
      "Work lay ready while slots were free, for " + percent_text(cost) + " of the time.",
      {{"neglected", cost, "share"}},
      "This is the scheduler's fault rather than the program's: please report it with the "
      "recording."};
}

// The idle time that no other rule has explained. Below a fifth, four of five slots have work, and
// other changes help more.
std::optional<finding> too_little_parallelism(evidence& e) {
  const double cost = e.share(e.unexplained_idle_ns);
  if (cost < 4 * worth_saying) return {};
  const budget& b = e.seen.spent;
  e.explain(e.unexplained_idle_ns);
  if (const double share = unused(e.seen.laid_out); share > cost / 2)
    return mostly_unused(e, cost, share);
  return finding{fault::too_little_parallelism,
                 cost,
                 "Too little parallelism: " + number_text(b.parallelism()) + " of " +
                     std::to_string(e.usable_slots()) + " slots worked on average, and for " +
                     percent_text(cost) + " of their time there was nothing to do." + where_text(e),
                 {{"parallelism", b.parallelism(), "slots"},
                  {"starved", e.share(use::starved), "share"},
                  {"searching", e.share(use::searching), "share"}},
                 "What ran there alone can be divided, or overlapped with something else."};
}

}  // namespace filch::span
