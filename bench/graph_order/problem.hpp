#pragma once
// Which of several ready nodes runs first: what the order by critical path gains over the order of
// arrival, in twenty graphs with uneven nodes. Four each of five families that papers on list
// scheduling use: layered, series-parallel, fork-join, the shape of a Cholesky factorization by
// tiles, and random. Sources: Topcuoglu, Hariri and Wu (HEFT), TPDS 2002; Kwok and Ahmad,
// "Benchmarking and comparison of the task graph scheduling algorithms", JPDC 1999.
#include <bench/task_graph/problem.hpp>

#include <cmath>
#include <string>

namespace bench::graph_order {

using task_graph::shape;

struct dag {
  std::string name;
  shape of;
  std::vector<double> us;  ///< What each node takes.
};

/// Draws shapes and costs.
class maker {
 public:
  maker(std::uint64_t seed, unsigned times_as_wide) : draw_{seed}, wide_{times_as_wide} {}

  dag finish(std::string name) { return {std::move(name), std::move(of_), std::move(us_)}; }

  /// Layers of different width; a node waits for one to three nodes of the layer before.
  void layered(unsigned layers) {
    std::vector<std::uint32_t> before, now;
    for (unsigned layer = 0; layer != layers; ++layer) {
      now.clear();
      for (unsigned width = wide_ * between(4, 40); width != 0; --width)
        now.push_back(add(some_of(before, between(1, 3)), cost()));
      before = now;
    }
  }

  /// One after the other, or beside each other, down to single nodes.
  std::vector<std::uint32_t> series_parallel(const std::vector<std::uint32_t>& after,
                                             unsigned nodes, bool in_series) {
    if (nodes <= 1) return {add(after, cost())};
    std::vector<std::uint32_t> last = after, all;
    for (unsigned left = nodes; left != 0;) {
      const unsigned part = std::min(left, between(1, nodes / 4 + 1));
      left -= part;
      const auto ends = series_parallel(in_series ? last : after, part, !in_series);
      if (in_series) last = ends;
      all.insert(all.end(), ends.begin(), ends.end());
    }
    return in_series ? last : all;
  }

  /// Branches of different length between a fork and a join, several times.
  void fork_join(unsigned times) {
    std::uint32_t before = add({}, cost());
    for (; times != 0; --times) {
      std::vector<std::uint32_t> ends;
      for (unsigned branches = wide_ * between(4, 24); branches != 0; --branches) {
        std::uint32_t last = before;
        for (unsigned length = between(1, 6); length != 0; --length) last = add({last}, cost());
        ends.push_back(last);
      }
      before = add(ends, cost());
    }
  }

  /// Tiles of which each is written several times: see bench/cholesky. Costs as those of its steps,
  /// times something from a half to one and a half, as if tiles were filled unevenly.
  void cholesky(unsigned tiles) {
    std::vector<std::uint32_t> writer(tiles * tiles, none);
    const auto write = [&](unsigned i, unsigned j, std::vector<std::uint32_t> after, double us) {
      if (writer[i * tiles + j] != none) after.push_back(writer[i * tiles + j]);
      writer[i * tiles + j] = add(after, us * (0.5 + uniform()));
    };
    for (unsigned k = 0; k != tiles; ++k) {
      write(k, k, {}, 40);
      for (unsigned i = k + 1; i != tiles; ++i) write(i, k, {writer[k * tiles + k]}, 80);
      for (unsigned i = k + 1; i != tiles; ++i) {
        const std::uint32_t left = writer[i * tiles + k];
        for (unsigned j = k + 1; j != i; ++j) write(i, j, {left, writer[j * tiles + k]}, 120);
        write(i, i, {left}, 70);
      }
    }
  }

  /// Each node waits for up to three of the last forty, or more.
  void random(unsigned nodes) {
    std::vector<std::uint32_t> last;
    for (; nodes != 0; --nodes) {
      last.push_back(add(some_of(last, between(0, 3)), cost()));
      if (last.size() > 40 * wide_) last.erase(last.begin());
    }
  }

 private:
  static constexpr std::uint32_t none = ~0u;

  std::uint32_t add(const std::vector<std::uint32_t>& after, double us) {
    of_.add(after);
    us_.push_back(us);
    return of_.nodes() - 1;
  }
  double uniform() { return static_cast<double>(draw_() >> 11) * 0x1p-53; }
  unsigned between(unsigned least, unsigned most) {
    return least + filch::base::below(draw_(), most - least + 1);
  }
  /// From 10 to 300 microseconds, as many below 55 as above.
  double cost() { return 10 * std::pow(30, uniform()); }
  std::vector<std::uint32_t> some_of(std::vector<std::uint32_t> all, unsigned count) {
    std::vector<std::uint32_t> chosen;
    for (; count != 0 && !all.empty(); --count) {
      const std::uint32_t at = filch::base::below(draw_(), static_cast<std::uint32_t>(all.size()));
      chosen.push_back(all[at]);
      all.erase(all.begin() + at);
    }
    return chosen;
  }

  filch::base::split_mix64 draw_;
  unsigned wide_;
  shape of_;
  std::vector<double> us_;
};

inline constexpr unsigned of_each_family = 4;

/// The same twenty each time; for many workers, so many times as wide.
inline std::vector<dag> all_dags(unsigned times_as_wide = 1) {
  std::vector<dag> all;
  const auto family = [&](const std::string& name, auto build) {
    for (unsigned i = 1; i <= of_each_family; ++i) {
      maker made{all.size() + 1, times_as_wide};
      build(made, i);
      all.push_back(made.finish(name + '_' + std::to_string(i)));
    }
  };
  family("layered", [](maker& in, unsigned i) { in.layered(4 + 2 * i); });
  family("series_parallel",
         [&](maker& in, unsigned i) { in.series_parallel({}, 60 * i * times_as_wide, true); });
  family("fork_join", [](maker& in, unsigned i) { in.fork_join(1 + i); });
  family("cholesky", [&](maker& in, unsigned i) { in.cholesky(4 + i + times_as_wide); });
  family("random", [&](maker& in, unsigned i) { in.random(60 * i * times_as_wide); });
  return all;
}

inline double work_us(const dag& of) {
  double all = 0;
  for (const double each : of.us) all += each;
  return all;
}

/// The longest way from a node without predecessors to one without successors.
inline double span_us(const dag& of) {
  std::vector<double> end(of.us.size());
  double longest = 0;
  for (std::uint32_t i = 0; i != of.us.size(); ++i) {
    for (const std::uint32_t* each = of.of.begin(i); each != of.of.end(i); ++each)
      end[i] = std::max(end[i], end[*each]);
    longest = std::max(longest, end[i] += of.us[i]);
  }
  return longest;
}

}  // namespace bench::graph_order
