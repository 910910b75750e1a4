#include <filch/span/verdict.hpp>

#include <filch/base/sort_stably.hpp>
#include <filch/span/lacking_processors.hpp>
#include <filch/span/text.hpp>
#include <filch/span/verdict_rules.hpp>

#include <algorithm>
#include <span>

namespace filch::inline v0_2::span {
namespace {

using rule = std::optional<finding> (*)(evidence&);
constexpr std::array<rule, fault_count> rules = {
    lost_records,   throttled,   oversubscription, grain_too_fine,
    memory_bound,   lock_convoy, blocked_workers,  wake_latency,
    neglected_work, long_tail,   grain_too_coarse, too_little_parallelism};

/// The number of rules, from the first, that also hold for a serial run, such as a watched one. The
/// others ask why a parallel run was not faster.
constexpr std::size_t rules_of_watched = 4;

/// With fewer on average no two compete.
constexpr double busy_slots = 1.25;

/// How many slots had a job on average, whether it computed, slept or waited for a processor.
double slots_in_jobs(const budget& spent) {
  const std::int64_t ns = spent.work_ns() + spent[use::blocked] + spent[use::run_delay];
  return spent.when.length_ns() == 0
             ? 0
             : static_cast<double>(ns) / static_cast<double>(spent.when.length_ns());
}

/// So much work may hide more than any other finding has.
constexpr double mostly_work = 0.75;

/// Faults of the machine, or of what runs beside the program. The program cannot mend them, so they
/// come last.
constexpr bool is_of_machine(fault what) noexcept {
  return what == fault::throttled || what == fault::oversubscription;
}

constexpr std::string_view may_have_grown_text =
    " Whether the work has grown with the workers, only a run on one worker tells.";
constexpr std::string_view unseen_text =
    "A recording does not show page faults, a lower clock, workers that share a core, locks inside "
    "of malloc, or a slow disk: perf stat and perf record do.";

/// The use with most time, except work.
const use_description& greatest_loss(const budget& spent) {
  const auto loss = [&](const use_description& u) {
    return u.what == use::working ? -1 : spent[u.what];
  };
  return *std::ranges::max_element(uses, {}, loss);
}

std::string slots_text(std::uint32_t slots) {
  return std::to_string(slots) + (slots == 1 ? " slot" : " slots");
}

std::string nothing_found(const budget& spent) {
  if (spent[use::working] == 0) return "No work was recorded.";
  const std::string work = percent_text(spent.share(use::working)) + " of the time of " +
                           slots_text(spent.slot_count) + " went into work";
  if (spent.share(use::working) >= 0.9) return "Nothing stands out: " + work + ".";
  const use_description& loss = greatest_loss(spent);
  return "No single cause stands out: " + work + "; of the rest, most was " +
         std::string{loss.name} + ", " + percent_text(spent.share(loss.what)) + ".";
}

}  // namespace

std::int64_t lone_run::work_ns() const noexcept {
  const std::int64_t recorded_ns = seen->spent.work_ns();
  if (watched == nullptr || watched->work_ns <= 0) return recorded_ns;
  return std::min(recorded_ns, static_cast<std::int64_t>(watched->work_ns));
}

std::uint32_t evidence::usable_slots() const noexcept {
  const std::uint32_t slots = seen.spent.slot_count;
  return recorded.processors == 0
             ? slots
             : static_cast<std::uint32_t>(std::min<std::uint64_t>(slots, recorded.processors));
}

double evidence::share(std::int64_t ns) const noexcept {
  const std::int64_t total = usable_slots() * seen.spent.when.length_ns();
  return total == 0 ? 0.0 : std::min(1.0, static_cast<double>(ns) / static_cast<double>(total));
}

bool evidence::is_worth_saying(std::int64_t ns) const noexcept {
  const std::int64_t total = usable_slots() * seen.spent.when.length_ns(),
                     left = std::max(total - seen.spent[use::run_delay], total / 10);
  return total != 0 && static_cast<double>(ns) >= worth_saying * static_cast<double>(left);
}

std::int64_t evidence::beyond_delay(std::int64_t waited_ns) const noexcept {
  const std::int64_t without_slot = std::max<std::int64_t>(seen.laid_out.delay_without_slot_ns, 0);
  return std::max<std::int64_t>(waited_ns - without_slot - seen.spent[use::run_delay], 0);
}

void evidence::explain(std::int64_t ns) noexcept {
  unexplained_idle_ns -= std::min(ns, unexplained_idle_ns);
}

std::string_view name_of(fault what) noexcept {
  static constexpr std::array<std::string_view, fault_count> names = {
      "too_little_parallelism", "grain_too_fine", "grain_too_coarse", "long_tail",
      "blocked_workers",        "lock_convoy",    "throttled",        "oversubscription",
      "memory_bound",           "wake_latency",   "neglected_work",   "lost_records"};
  return names[static_cast<std::size_t>(what)];
}

use paid_in(fault what) noexcept {
  switch (what) {
    case fault::grain_too_fine: return use::searching;
    case fault::blocked_workers:
    case fault::lock_convoy: return use::blocked;
    case fault::throttled:
    case fault::oversubscription: return use::run_delay;
    case fault::memory_bound: return use::working;
    case fault::wake_latency:
    case fault::neglected_work: return use::neglected;
    case fault::lost_records: return use::unknown;
    case fault::too_little_parallelism:
    case fault::grain_too_coarse:
    case fault::long_tail: break;
  }
  return use::starved;
}

verdict judge(const event::recording& from, const observation& seen,
              const lone_run& on_one_worker) {
  const std::int64_t idle_ns = seen.spent.idle_ns(),
                     lacking_ns = find_lack(seen.laid_out, from.processors).total_ns();
  evidence shown{from, seen, on_one_worker, std::max<std::int64_t>(idle_ns - lacking_ns, 0),
                 seen.spent[use::run_delay]};
  verdict made;
  for (const rule each : std::span{rules}.first(from.analyzed ? rules_of_watched : rules.size())) {
    if (auto found = each(shown)) made.findings.push_back(std::move(*found));
  }
  base::sort_stably(made.findings, [](const finding& a, const finding& b) {
    const bool machines = is_of_machine(a.what);
    return machines != is_of_machine(b.what) ? !machines : a.cost > b.cost;
  });
  const bool may_have_grown = !from.analyzed && on_one_worker.seen == nullptr && !shown.is_fine &&
                              shown.usable_slots() >= 2 && slots_in_jobs(seen.spent) >= busy_slots;
  const bool says_nothing = made.findings.empty() || is_of_machine(made.findings.front().what);
  made.asks_for_lone_run =
      may_have_grown && (says_nothing || shown.share(seen.spent.work_ns()) >= mostly_work ||
                         (made.findings.front().what == fault::blocked_workers &&
                          shown.is_worth_saying(seen.spent[use::blocked])));
  if (!made.findings.empty()) {
    made.sentence = made.findings.front().sentence;
    return made;
  }
  made.sentence = nothing_found(seen.spent);
  if (made.asks_for_lone_run) {
    made.sentence += may_have_grown_text;
  } else if (seen.spent[use::working] != 0 && !from.analyzed) {
    made.advice = unseen_text;
  }
  return made;
}

}  // namespace filch::span
