#include <filch/span/verdict.hpp>

#include <filch/base/sort_stably.hpp>
#include <filch/span/text.hpp>
#include <filch/span/verdict_rules.hpp>

#include <algorithm>
#include <span>

namespace filch::inline v0_2::span {
namespace {

using rule = std::optional<finding> (*)(evidence&);
constexpr std::array<rule, fault_count> rules = {
    lost_records,   throttled,       oversubscription, memory_bound,
    lock_convoy,    blocked_workers, grain_too_fine,   wake_latency,
    neglected_work, long_tail,       grain_too_coarse, too_little_parallelism};

/// The number of rules, from the first, that also hold for a serial run, such as a watched one. The
/// others ask why a parallel run was not faster.
constexpr std::size_t rules_of_watched = 3;

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

double evidence::share(std::int64_t ns) const noexcept {
  const std::int64_t total = seen.spent.total_ns();
  return total == 0 ? 0.0 : static_cast<double>(ns) / static_cast<double>(total);
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
  evidence shown{from, seen, on_one_worker, seen.spent.idle_ns(), seen.spent[use::run_delay]};
  verdict made;
  for (const rule each : std::span{rules}.first(from.analyzed ? rules_of_watched : rules.size())) {
    if (auto found = each(shown)) made.findings.push_back(std::move(*found));
  }
  base::sort_stably(made.findings, std::greater{}, &finding::cost);
  made.sentence =
      made.findings.empty() ? nothing_found(seen.spent) : made.findings.front().sentence;
  return made;
}

}  // namespace filch::span
