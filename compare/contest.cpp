#include <compare/contest.hpp>

#include <bench/harness/median.hpp>
#include <compare/computation.hpp>
#include <compare/rivals.hpp>
#include <filch/base/clock.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

namespace filch::compare {
namespace {

double cpu_seconds() {
  ::rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const ::timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Times `run`, which returns a verdict.
template <class Run>
sample timed(Run&& run, verdict& check) {
  const double cpu_before = cpu_seconds();
  const std::uint64_t start_ns = base::now_ns();
  check = run();
  const std::uint64_t end_ns = base::now_ns();
  return {.seconds = static_cast<double>(end_ns - start_ns) * 1e-9,
          .cpu_seconds = cpu_seconds() - cpu_before};
}

/// A tree wide and deep enough that every worker has been awake once.
struct warm_up_tree {
  using node = unsigned;
  using result = std::uint64_t;
  node root() const { return 10; }
  void expand(node height, result& leaves, const auto& spawn) const {
    if (height == 0) {
      ++leaves;
      return;
    }
    spawn(height - 1);
    spawn(height - 1);
  }
};

void book_counts(const std::vector<tally>& tallies, unsigned workers, sample& into) {
  std::uint64_t busiest = 0;
  for (const tally& t : tallies) {
    into.jobs_run += t.jobs_run;
    into.jobs_moved += t.jobs_moved;
    busiest = std::max(busiest, t.jobs_run);
  }
  const double mean = static_cast<double>(into.jobs_run) / workers;
  into.busiest_over_mean = into.jobs_run == 0 ? 0 : static_cast<double>(busiest) / mean;
}

sample run_once(const contender& who, const workload& what, unsigned workers, verdict& check) {
  const std::unique_ptr<scheduler> where = who.make(workers);
  run_on(*where, warm_up_tree{});
  where->clear_tallies();
  sample taken = timed([&] { return what.run_on(*where); }, check);
  book_counts(where->tallies(), workers, taken);
  return taken;
}

/// The runs of one row, and what their checks said.
class series {
 public:
  explicit series(std::string_view name) { row_.name = name; }

  void add(const sample& taken, const verdict& check) {
    samples_.push_back(taken);
    row_.round_seconds.push_back(taken.seconds);
    if (row_.wrong.empty()) row_.wrong = check();
  }
  standing result() {
    const double middle = bench::median(row_.round_seconds);
    row_.typical = *std::ranges::find(samples_, middle, &sample::seconds);
    return row_;
  }

 private:
  standing row_;
  std::vector<sample> samples_;
};

}  // namespace

standings hold_contest(const workload& what, unsigned workers, unsigned rounds,
                       const progress& tell) {
  series serial{"serial"};
  std::vector<series> rows;
  for (const contender& who : contenders()) rows.emplace_back(who.name);
  const auto total = static_cast<unsigned>(rounds * (rows.size() + 1) + 1);
  unsigned done = 0;
  tell("warming up", done++, total);
  what.run_serial();
  for (unsigned round = 0; round < rounds; ++round) {
    verdict check;
    tell("serial", done++, total);
    serial.add(timed(what.run_serial, check), check);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      tell(contenders()[i].name, done++, total);
      rows[i].add(run_once(contenders()[i], what, workers, check), check);
    }
  }
  standings result{serial.result(), {}};
  for (series& row : rows) result.schedulers.push_back(row.result());
  std::ranges::sort(result.schedulers, {}, [](const standing& s) { return s.typical.seconds; });
  return result;
}

}  // namespace filch::compare
