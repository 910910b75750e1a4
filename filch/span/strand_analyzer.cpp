#include <filch/span/strand_analyzer.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/sort_stably.hpp>
#include <filch/base/sync.hpp>
#include <filch/base/thread.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::span {
namespace {

/// The delay of shorter strands is not read: a time slice of another program is longer, and a read
/// costs a microsecond.
constexpr double shortest_delayed_ns = 50'000;

std::uint64_t processor_clock() noexcept { return base::ticks(); }

// If watching cost less than is subtracted, short strands seem to have a negative length.
void raise_to_zero(double& part, double& sum) noexcept {
  if (part >= 0) return;
  sum -= part;
  part = 0;
}

// If groups' jobs cost less than assumed, as when many are made at once.
void lower_to(double most, double& part, double& sum) noexcept {
  if (part <= most) return;
  sum -= part - most;
  part = most;
}

}  // namespace

/// The earliest time of a group's job, and the analyzer of its run.
struct strand_analyzer::spawned final : sched::spawn_point {
  spawned(const critical_path& here, std::uint64_t analyzer) noexcept : from{here}, of{analyzer} {}
  critical_path from;
  std::uint64_t of;
};

strand_analyzer::strand_analyzer(const analysis::costs& costs, clock ticks)
    : began_ns_{base::now_ns()},
      is_real_time_{ticks == nullptr},
      ticks_{is_real_time_ ? processor_clock : ticks},
      costs_{costs},
      outer_{sched::current_observer} {
  index_of(nullptr);               // site 0: the code outside every fork
  sched::current_observer = this;  // last, as nothing after it throws
  begin_strand();
}

strand_analyzer::~strand_analyzer() { sched::current_observer = outer_; }

std::uint64_t strand_analyzer::next_number() noexcept {
  static base::atomic<std::uint64_t> given{0};
  return given.fetch_add(1, base::relaxed) + 1;
}

// -------------------------------------------------------------------------------------------------
// strands
/// `watched_ns`: the part of its length that is the cost of being watched.
void strand_analyzer::end_strand(double watched_ns) noexcept {
  double ns = static_cast<double>(ticks_() - began_) * costs_.tick_ns - watched_ns;
  if (is_real_time_ && ns > shortest_delayed_ns) [[unlikely]]
    ns -= take_delay(ns);
  ++found_.strands;
  here_.add(site_, ns);
  const double on_cpu_ns =
      doing_ == sched::strand_doing::computing ? ns : std::min(ns, computed_while_blocked());
  found_.work_ns += on_cpu_ns;
  found_.sites[site_].work_ns += on_cpu_ns;
  found_.blocked_ns += ns - on_cpu_ns;
}

/// A call of `blocking` often does not wait: a read of a file that is in memory computes, and uses
/// a processor that no other worker can use meanwhile.
double strand_analyzer::computed_while_blocked() const noexcept {
  return is_real_time_ ? static_cast<double>(base::own_cpu_ns() - cpu_ns_when_blocked_) : 0;
}

/// Adds a cost that an ordinary run pays and the watched run does not.
void strand_analyzer::add_cost(std::uint32_t site, double ns) noexcept {
  found_.work_ns += ns;
  found_.sites[site].work_ns += ns;
  here_.add(site, ns);
}

double strand_analyzer::take_delay(double of_ns) noexcept {
  const double delay_ns = std::min(of_ns, static_cast<double>(delays_.since_last()));
  found_.delayed_ns += delay_ns;
  return delay_ns;
}

std::uint32_t strand_analyzer::index_of(const void* site) {
  const auto [at, is_new] =
      index_.try_emplace(site, static_cast<std::uint32_t>(found_.sites.size()));
  if (is_new) {
    found_.sites.emplace_back();
    found_.sites.back().where.address = reinterpret_cast<std::uintptr_t>(site);
  }
  return at->second;
}

auto strand_analyzer::open_frame() -> frame& {
  if (depth_ == frames_.size()) frames_.emplace_back();
  frame& opened = frames_[depth_++];
  opened.outer_site = site_;
  return opened;
}

void strand_analyzer::begin_side(frame& of) noexcept {
  of.work_before = found_.work_ns;
  of.forks_before = found_.forks;
}

/// Returns the work of the side that ends here, with all that it forked.
double strand_analyzer::end_side(const frame& of) noexcept {
  const double work_ns = std::max(0.0, found_.work_ns - of.work_before);
  if (found_.forks == of.forks_before) {
    analysis::site& mine = found_.sites[site_];
    ++mine.leaves;
    mine.leaf_ns += work_ns;
    mine.longest_leaf_ns = std::max(mine.longest_leaf_ns, work_ns);
  }
  return work_ns;
}

// -------------------------------------------------------------------------------------------------
// joins
void strand_analyzer::fork(const void* site) {
  end_strand(costs_.watched_join_ns);
  const std::uint32_t index = index_of(site);
  frame& now = open_frame();
  site_ = index;
  ++found_.forks;
  ++found_.sites[index].forks;
  found_.sites[index].fork_overhead_ns += costs_.fork_ns;
  found_.fork_overhead_ns += costs_.fork_ns;
  add_cost(index, costs_.fork_ns);
  now.start = here_;
  begin_side(now);
  begin_strand();
}

void strand_analyzer::begin_right() noexcept {
  end_strand(costs_.watched_side_ns);
  frame& now = frames_[depth_ - 1];
  end_side(now);
  now.waiter = here_;
  here_ = now.start;
  begin_side(now);
  begin_strand();
}

void strand_analyzer::end_job() noexcept {
  end_strand(costs_.watched_side_ns);
  frame& now = frames_[--depth_];
  const double job_ns = end_side(now);
  analysis::site& mine = found_.sites[site_];
  mine.jobs.add(job_ns);
  mine.longest_job_ns = std::max(mine.longest_job_ns, job_ns);
  wait_for_job(now.waiter, now.start, here_, costs_.burden_ns());
  here_ = now.waiter;
  site_ = now.outer_site;
  begin_strand();
}

// -------------------------------------------------------------------------------------------------
// groups
sched::spawn_point* strand_analyzer::spawn(const void* site) {
  end_strand(costs_.stamp_ns);
  index_of(site);  // may throw, which is not allowed when the job begins
  auto* const made = new spawned{here_, number_};
  // The clock counts its cost as work of the code that makes it; here it is only named.
  found_.sites[site_].fork_overhead_ns += costs_.spawn_ns;
  found_.fork_overhead_ns += costs_.spawn_ns;
  begin_strand();
  return made;
}

/// A job from another run, or one that was not watched when it was made, could begin with this run.
critical_path strand_analyzer::start_of(const sched::spawn_point* from) const noexcept {
  const auto* const begin = static_cast<const spawned*>(from);
  return begin != nullptr && begin->of == number_ ? begin->from : critical_path{};
}

void strand_analyzer::begin_spawned(const void* site, const sched::spawn_point* from) noexcept {
  end_strand(costs_.stamp_ns);
  frame& now = open_frame();
  now.start = start_of(from);
  now.waiter = here_;
  here_ = now.start;
  site_ = index_of(site);
  ++found_.forks;
  ++found_.sites[site_].forks;
  begin_side(now);
  begin_strand();
}

// -------------------------------------------------------------------------------------------------
// the rest
sched::strand_doing strand_analyzer::change(sched::strand_doing next) noexcept {
  end_strand(costs_.stamp_ns);
  const sched::strand_doing before = std::exchange(doing_, next);
  // Outside every fork there is no job that waits for the slot
  if (next == sched::strand_doing::blocked && depth_ != 0) {
    ++found_.blocking_calls;
    add_cost(site_, costs_.blocking_ns);
  }
  if (is_real_time_ && next == sched::strand_doing::blocked)
    cpu_ns_when_blocked_ = base::own_cpu_ns();
  begin_strand();
  return before;
}

void strand_analyzer::submit() noexcept { ++found_.submitted; }

analysis::result strand_analyzer::finish() {
  end_strand(costs_.stamp_ns);
  found_.span_ns = here_.span.total();
  here_.span.for_each([&](std::uint32_t site, double ns) {
    if (site != shared_length::others) found_.sites[site].span_ns = ns;
  });
  for (analysis::site& each : found_.sites) {
    raise_to_zero(each.work_ns, found_.work_ns);
    raise_to_zero(each.span_ns, found_.span_ns);
    lower_to(each.work_ns, each.fork_overhead_ns, found_.fork_overhead_ns);
  }
  found_.work_ns = std::max(0.0, found_.work_ns);
  // Its parts were added in another order
  found_.fork_overhead_ns = std::max(0.0, found_.fork_overhead_ns);
  found_.span_ns = std::clamp(found_.span_ns, 0.0, found_.work_ns + found_.blocked_ns);
  found_.burdened_span_ns = std::max(found_.span_ns, here_.burdened);
  found_.doubt_ns = static_cast<double>(found_.forks) * costs_.doubt_ns;
  found_.watched_ns = static_cast<double>(base::now_ns() - began_ns_);
  found_.costs = costs_;
  base::sort_stably(found_.sites, std::greater{}, &analysis::site::work_ns);
  return std::move(found_);
}

}  // namespace filch::span
