// Rules about the recording and the machine.
#include <filch/span/text.hpp>
#include <filch/span/verdict_rules.hpp>

#include <algorithm>

namespace filch::inline v0_2::span {

std::optional<finding> lost_records(evidence& e) {
  const double cost = e.seen.spent.share(use::unknown);
  if (cost < worth_saying) return {};
  return finding{
      fault::lost_records,
      cost,
      percent_text(cost) + " of the recording is lost, so whatever else is said is of the rest.",
      {{"unknown", cost, "share"},
       {"lost", static_cast<double>(e.seen.how_far.lost_records), "records"},
       {"workers_with_losses", e.seen.how_far.workers_with_losses * 1.0, "workers"}},
      "Record less of the run, or more of it: FILCH_TRACE_MAX_SIZE sets how many bytes of records "
      "are kept on disk, "
      "FILCH_TRACE_RING how many "
      "records of each worker in memory."};
}

// The kernel counts throttling by a quota, but for all threads of the group: ours were throttled at
// most for their run delay.
std::optional<finding> throttled(evidence& e) {
  const auto held_back_ns = static_cast<std::int64_t>(
      std::min(e.recorded.throttled_ns, static_cast<std::uint64_t>(e.unexplained_delay_ns)));
  const double cost = e.share(held_back_ns);
  if (cost < worth_saying) return {};
  e.unexplained_delay_ns -= held_back_ns;
  return finding{fault::throttled,
                 cost,
                 "For " + percent_text(cost) + " of the time a CPU quota held the workers back.",
                 {{"held_back", cost, "share"},
                  {"run_delay", e.share(use::run_delay), "share"},
                  {"of", e.seen.spent.slot_count * 1.0, "slots"}},
                 "Raise the quota of the container, or run no more workers than it grants, also "
                 "for other threads there: `filch info` "
                 "shows it."};
}

// A quiet machine shows well under 1 %.
std::optional<finding> oversubscription(evidence& e) {
  const double cost = e.share(e.unexplained_delay_ns);
  if (cost < worth_saying) return {};
  return finding{
      fault::oversubscription,
      cost,
      "For " + percent_text(cost) +
          " of the time the kernel ran something else: there are more threads than processors.",
      {{"waited_for_a_processor", cost, "share"},
       {"run_delay", e.share(use::run_delay), "share"},
       {"of", e.seen.spent.slot_count * 1.0, "slots"}},
      "Run fewer workers, or nothing beside them; `filch info` shows how many processors this "
      "process may use, and why."};
}

// Two runs on one machine differ by a few percent. A real shortage of memory bandwidth shows as 1.5
// times and more, and so does a lock that spins, or that is held so briefly that its waits hardly
// sleep: work and wait look the same from here. Forks count on both sides: at steal level they are
// part of working.
std::optional<finding> memory_bound(evidence& e) {
  if (e.is_fine || e.on_one_worker.seen == nullptr || e.seen.spent.slot_count < 2) return {};
  const std::int64_t alone = e.on_one_worker.work_ns(), together = e.seen.spent.work_ns();
  if (alone == 0) return {};
  const double inflation = static_cast<double>(together) / static_cast<double>(alone);
  const double cost = e.share(together - alone);
  // Workers that take turns on a processor find its caches full of the data of others
  const double for_turns = e.usable_slots() < e.seen.spent.slot_count ? 0.25 : 0;
  const double least_inflation =
      1.25 + for_turns +
      std::max(e.seen.spent.delayed_share(), e.on_one_worker.seen->spent.delayed_share());
  if (inflation < least_inflation || !e.is_worth_saying(together - alone)) return {};
  return finding{fault::memory_bound,
                 cost,
                 "The same work takes " + number_text(inflation) + " times as long on " +
                     std::to_string(e.seen.spent.slot_count) +
                     " slots as on one: they compete for memory or for a lock.",
                 {{"work_inflation", inflation, "times"},
                  {"work_alone", static_cast<double>(alone), "ns"},
                  {"work_together", static_cast<double>(together), "ns"}},
                 "perf shows which. If it is a lock, give each worker its own copy. Else touch "
                 "less memory for each operation: smaller elements, blocks that fit the cache, no "
                 "cache line that two workers write."};
}

}  // namespace filch::span
