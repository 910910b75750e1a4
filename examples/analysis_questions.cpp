// Questions to an analysis: how many workers pay, what to make faster, how long a leaf should be.
#include <filch/analyze.hpp>
#include <filch/fork.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

using iterator = std::vector<unsigned>::iterator;

void merge_sort(iterator first, iterator last) {
  if (last - first <= 1'000) return std::sort(first, last);
  const iterator middle = first + (last - first) / 2;
  filch::join([=] { merge_sort(first, middle); }, [=] { merge_sort(middle, last); });
  std::inplace_merge(first, middle, last);
}
long sum(long first, long last) {
  if (last - first == 1) return first;  // too short a leaf
  const long middle = first + (last - first) / 2;
  const auto [left, right] =
      filch::join([=] { return sum(first, middle); }, [=] { return sum(middle, last); });
  return left + right;
}

// [options]
// For a server of 64 processors, on a machine that has fewer: that pool starts no thread. What a
// steal costs there is known from a call of `measured_costs` there.
filch::analysis::result analyze_for_server(std::vector<unsigned>& all) {
  filch::analysis::costs costs = filch::analysis::measured_costs();
  costs.steal_ns = costs.return_ns = 500;
  costs.wake_ns = 5'000;
  filch::thread_pool wide({.workers = 64});
  const filch::analysis::options options{.pool = &wide, .costs = costs};
  return filch::analyze([&] { merge_sort(all.begin(), all.end()); }, options);
}
// [options]

// [predict]
// The fewest workers that come within a tenth of the time on 64.
unsigned workers_that_pay(const filch::analysis::result& of) {
  const double best_ns = filch::analysis::predict(of, 64).estimate_ns;
  for (unsigned workers = 1; workers < 64; ++workers) {
    const filch::analysis::predicted_time time = filch::analysis::predict(of, workers);
    if (time.estimate_ns > 1.1 * best_ns) continue;
    std::printf("%u workers: %.1f times as fast\n", workers, time.speed_up(of.work_ns));
    return workers;
  }
  return 64;
}
// [predict]

// [what_if]
// The place whose code should be made faster first: the one that gains most on 8 workers.
std::size_t best_to_improve(const filch::analysis::result& of) {
  std::size_t best = 0;
  double best_ns = filch::analysis::predict(of, 8).estimate_ns;
  for (std::size_t site = 0; site < of.sites.size(); ++site) {
    const double ns =
        filch::analysis::predict(filch::analysis::what_if(of, site, 2), 8).estimate_ns;
    if (ns < best_ns) best = site, best_ns = ns;
  }
  return best;
}
// [what_if]

// [suggested_grain]
// By how much the leaves of this place should be longer (above 1) or shorter (below 1).
double factor_for_leaves(const filch::analysis::result& of, const filch::analysis::site& site) {
  const double factor = filch::analysis::suggested_grain(of, site, 8);
  std::printf("%s: leaves of %.0f ns, better %.1f times as long\n", site.where.name.c_str(),
              site.mean_leaf_ns(), factor);
  return factor;
}
// [suggested_grain]

// [histogram]
// How long the jobs of a place took.
void print_jobs(const filch::analysis::site& site) {
  const filch::duration_histogram& jobs = site.jobs;
  for (std::size_t i = 0; i < jobs.counts.size(); ++i) {
    if (jobs.counts[i] == 0) continue;
    std::printf("%10lld ns and longer: %llu jobs\n",
                static_cast<long long>(filch::duration_histogram::begin_ns(i)),
                static_cast<unsigned long long>(jobs.counts[i]));
  }
}
// [histogram]

// [measured_costs]
// The shortest side of a join that is worth its steal on this machine.
double shortest_worth_stealing_ns() {
  const filch::analysis::costs& costs = filch::analysis::measured_costs();
  std::printf("a fork costs %.1f ns, a steal %.0f ns\n", costs.fork_ns, costs.burden_ns());
  return costs.burden_ns() + costs.fork_ns;
}
// [measured_costs]

// [with_work]
// The analysis with the time of a run on one worker that nothing watched.
filch::analysis::result with_time_of(filch::thread_pool& one_worker, filch::analysis::result of,
                                     long last) {
  const auto begin = std::chrono::steady_clock::now();
  one_worker.run([&] { return sum(0, last); });
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
  return filch::analysis::with_work(std::move(of), time.count());
}
// [with_work]

// [is_running]
// Copies only if the right side was stolen. An analysis steals nothing, so it must see the copy.
void sort_copies(std::vector<unsigned>& left, std::vector<unsigned>& right) {
  const unsigned here = filch::worker_index();
  filch::join([&] { std::sort(left.begin(), left.end()); },
              [&] {
                const bool is_stolen =
                    filch::worker_index() != here || filch::analysis::is_running();
                std::vector<unsigned> near = is_stolen ? right : std::vector<unsigned>();
                std::vector<unsigned>& sorted = is_stolen ? near : right;
                std::sort(sorted.begin(), sorted.end());
                if (is_stolen) right = std::move(near);
              });
}
// [is_running]

bool check(const char* what, bool is_right) {
  if (!is_right) std::printf("%s: wrong\n", what);
  return is_right;
}

}  // namespace

int main() {
  std::vector<unsigned> numbers(300'000);
  for (unsigned i = 0; auto& each : numbers) each = (i += 2'654'435'769u);
  const filch::analysis::result sorting = analyze_for_server(numbers);
  bool is_right = check("options", sorting.forks > 0 && std::ranges::is_sorted(numbers));
  is_right &= check("predict", workers_that_pay(sorting) > 1);
  const filch::analysis::site& first = sorting.sites[best_to_improve(sorting)];
  std::printf("make this faster: %s\n", first.where.name.c_str());

  const filch::analysis::result summing = filch::analyze([] { return sum(0, 100'000); });
  const filch::analysis::site& joins =
      *std::ranges::max_element(summing.sites, {}, &filch::analysis::site::forks);
  print_jobs(joins);
  is_right &= check("suggested_grain", factor_for_leaves(summing, joins) > 1);
  filch::thread_pool one_worker({.workers = 1});
  const filch::analysis::result again = with_time_of(one_worker, summing, 100'000);
  is_right &= check("with_work", again.work_ns > 0 && again.forks == summing.forks);

  is_right &= check("measured_costs", shortest_worth_stealing_ns() > 0);
  std::vector<unsigned> left{3, 1, 2}, right = left;
  const filch::analysis::result copies = filch::analyze([&] { sort_copies(left, right); });
  is_right &=
      check("is_running", copies.forks == 1 && left == right && !filch::analysis::is_running());
  return is_right ? 0 : 1;
}
