#pragma once
// Task graphs: what a node costs that does nothing, in graphs that are built once and run again.
// Shapes: `chain`, each node after the one before; `tree`, binary, from the root to the leaves;
// `random`, each node after four earlier ones; `wavefront`, a square whose nodes come after their
// left and upper neighbors. A node adds one to a number of its thread. With `-counting` behind the
// shape it adds to a number of its own: then it reads memory of its own, as programs' nodes do.
#include <filch/base/rng.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bench::task_graph {

inline constexpr std::uint32_t default_nodes = 100'000;
inline constexpr const char* default_case = "chain";
inline constexpr std::uint64_t seed = 1;
inline constexpr std::uint32_t edges_of_a_random_node = 4;

/// The nodes that each node comes after. All of them have smaller numbers.
class shape {
 public:
  /// Adds a node after those in `earlier`.
  void add(const std::vector<std::uint32_t>& earlier) {
    sources_.insert(sources_.end(), earlier.begin(), earlier.end());
    first_.push_back(sources_.size());
  }
  std::uint32_t nodes() const noexcept { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::size_t edges() const noexcept { return sources_.size(); }
  const std::uint32_t* begin(std::uint32_t node) const noexcept {
    return sources_.data() + first_[node];
  }
  const std::uint32_t* end(std::uint32_t node) const noexcept {
    return sources_.data() + first_[node + 1];
  }

 private:
  std::vector<std::uint32_t> sources_;
  std::vector<std::size_t> first_{0};  ///< Of each node in `sources_`.
};

inline shape chain(std::uint32_t nodes) {
  shape made;
  made.add({});
  for (std::uint32_t i = 1; i < nodes; ++i) made.add({i - 1});
  return made;
}

inline shape tree(std::uint32_t nodes) {
  shape made;
  made.add({});
  for (std::uint32_t i = 1; i < nodes; ++i) made.add({(i - 1) / 2});
  return made;
}

/// The earlier ones are different, and drawn from all.
inline shape random(std::uint32_t nodes) {
  filch::base::split_mix64 draw{seed};
  shape made;
  std::vector<std::uint32_t> earlier;
  for (std::uint32_t i = 0; i != nodes; ++i) {
    earlier.clear();
    while (earlier.size() < std::min(i, edges_of_a_random_node)) {
      const std::uint32_t one = filch::base::below(draw(), i);
      if (std::ranges::find(earlier, one) == earlier.end()) earlier.push_back(one);
    }
    made.add(earlier);
  }
  return made;
}

inline std::uint32_t side_of(std::uint32_t nodes) noexcept {
  return static_cast<std::uint32_t>(std::sqrt(static_cast<double>(nodes)));
}

inline shape wavefront(std::uint32_t nodes) {
  const std::uint32_t side = side_of(nodes);
  shape made;
  std::vector<std::uint32_t> earlier;
  for (std::uint32_t i = 0; i != side * side; ++i) {
    earlier.clear();
    if (i >= side) earlier.push_back(i - side);
    if (i % side != 0) earlier.push_back(i - 1);
    made.add(earlier);
  }
  return made;
}

inline constexpr const char* case_rule =
    "--case is chain, tree, random or wavefront, perhaps with -counting behind it; --size is at "
    "least 1, and a square for wavefront";

struct parameters {
  shape of;  ///< Without nodes if `--case` and `--size` make no sense.
  bool is_counting = false;
};

inline parameters asked_for(std::string name, std::uint32_t nodes) {
  const std::string suffix = "-counting";
  const bool is_counting = name.ends_with(suffix);
  if (is_counting) name.resize(name.size() - suffix.size());
  if (nodes == 0) return {};
  if (name == "chain") return {chain(nodes), is_counting};
  if (name == "tree") return {tree(nodes), is_counting};
  if (name == "random") return {random(nodes), is_counting};
  if (name != "wavefront" || side_of(nodes) * side_of(nodes) != nodes) return {};
  return {wavefront(nodes), is_counting};
}

struct alignas(128) tally_of_thread {
  std::uint64_t nodes = 0;
};

/// How many nodes have run: by each thread, and all together when none runs.
class tally {
 public:
  static void add() noexcept {
    if (mine_ == nullptr) [[unlikely]]
      mine_ = &of_threads_[threads_++ % most_threads];
    ++mine_->nodes;
  }
  static std::uint64_t take() noexcept {
    std::uint64_t all = 0;
    for (tally_of_thread& each : of_threads_) all += std::exchange(each.nodes, 0);
    return all;
  }

 private:
  static constexpr unsigned most_threads = 1024;
  static inline tally_of_thread of_threads_[most_threads];
  static inline std::atomic<unsigned> threads_{0};
  static inline constinit thread_local tally_of_thread* mine_ = nullptr;
};

/// How often each node has run.
using counts = std::vector<std::uint32_t>;

/// Says what is wrong after `runs`; empty when nothing.
inline std::string check(const counts& ran, std::uint32_t runs) {
  const auto wrong = std::ranges::find_if(ran, [&](std::uint32_t each) { return each != runs; });
  if (wrong == ran.end()) return {};
  return "node " + std::to_string(wrong - ran.begin()) + " ran " + std::to_string(*wrong) +
         " times in " + std::to_string(runs) + " runs";
}

/// The same of one run whose nodes used `tally`.
inline std::string check(const shape& of, std::uint64_t ran) {
  if (ran == of.nodes()) return {};
  return std::to_string(ran) + " nodes ran, of " + std::to_string(of.nodes());
}

}  // namespace bench::task_graph
