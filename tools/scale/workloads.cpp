#include <tools/scale/rounds.hpp>
#include <tools/scale/workload.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace filch::scaling {

namespace {

constexpr std::array table{
    workload{"fib", "Naive Fibonacci: nothing but forks", "n", 32, 27, 0.35, make_fib},
    workload{"uts", "Count a very unbalanced tree (T1 of UTS)", "levels", 10, 7, 73, make_uts},
    workload{"nqueens", "Count the placements of n queens", "n", 11, 9, 98, make_nqueens},
    workload{"skynet", "A tree of ten children a node", "leaves", 1'000'000, 100'000, 0.77,
             make_skynet},
    workload{"integrate", "Adaptive quadrature of x^3 + x", "upper end", 4'000, 300, 3.6,
             make_integrate},
    workload{"heat", "Spread heat on a plate in 20 steps", "points along a side", 2048, 512, 0.82,
             make_heat},
    workload{"sum", "Reduce elements of very unequal cost", "elements", 1'000'000, 100'000, 0.8,
             make_sum},
    workload{"cheap", "parallel_for over cheap items", "items", 10'000'000, 1'000'000, 0.27,
             make_cheap},
    workload{"skewed", "Reduce items of which few cost much", "items", 100'000, 100'000, 1.15,
             make_skewed},
    workload{"sort", "Sort random numbers", "numbers", 1'000'000, 100'000, 0.94, make_sort},
    workload{"scan", "Sum prefixes", "numbers", 10'000'000, 100'000, 0.3, make_scan},
    workload{"spawn", "Tasks that do nothing, 10,000 at a time", "tasks", 100'000, 50'000, 11.4,
             make_spawn},
    workload{"channel", "Four tasks send to four others", "numbers", 100'000, 50'000, 2.1,
             make_channel},
    workload{"mutex", "64 tasks take turns at a lock", "turns", 64'000, 64'000, 1, make_mutex},
    workload{"submit-1", "Jobs of 1 us from 1 thread outside", "jobs", 20'000, 5'000, round_ns,
             make_submit<1>},
    workload{"submit-4", "Jobs of 1 us from 4 threads outside", "jobs", 100'000, 5'000, round_ns,
             make_submit<4>},
    workload{"submit-16", "Jobs of 1 us from 16 threads outside", "jobs", 400'000, 5'000, round_ns,
             make_submit<16>},
    workload{"submit-64", "Jobs of 1 us from 64 threads outside", "jobs", 400'000, 5'000, round_ns,
             make_submit<64>},
    workload{"bursts", "1 ms of parallel work every 10 ms", "bursts", 20, 20, round_ns,
             make_bursts},
    workload{"few", "Jobs of 1 ms, fewer than workers", "jobs", 4, 4, round_ns, make_few},
    workload{"many", "Jobs of 20 us, more than workers", "jobs", 20'000, 1'000, round_ns,
             make_many},
    workload{"idle", "1 ms of work, then nothing", "milliseconds", 200, 200, round_ns, make_idle},
    workload{"tree-asleep", "Small trees, while workers sleep", "nodes", 1'000, 1'000, 0.83,
             make_tree_asleep},
    workload{"tree-searching", "Small trees, while workers search", "nodes", 1'000, 1'000, 0.83,
             make_tree_searching},
    workload{"tree-busy", "Small trees, while workers are busy elsewhere", "nodes", 1'000, 1'000,
             0.83, make_tree_busy},
    workload{"loop-asleep", "Loops of 10 ns items, while workers sleep", "items", 1'000, 1'000, 0.6,
             make_loop_asleep},
    workload{"loop-searching", "Loops of 10 ns items, while workers search", "items", 1'000, 1'000,
             0.6, make_loop_searching},
    workload{"loop-busy", "Loops of 10 ns items, while workers are busy elsewhere", "items", 1'000,
             1'000, 0.6, make_loop_busy},
};

}  // namespace

std::span<const workload> all_workloads() { return table; }

const workload& find_workload(const std::string& name) {
  const auto found = std::ranges::find(table, name, [](const workload& w) { return w.name; });
  if (found != table.end()) return *found;
  std::string names;
  for (const workload& each : table) names += (names.empty() ? "" : ", ") + std::string(each.name);
  throw std::invalid_argument("no workload is called " + name + ": choose of " + names);
}

}  // namespace filch::scaling
