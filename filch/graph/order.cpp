#include <filch/graph/order.hpp>

#include <filch/base/clock.hpp>

#include <algorithm>

namespace filch::inline v0_2::graph {
namespace {

// One list for all workers is worth its lock if nodes are long enough: each goes through it once,
// which takes some 50 ns.
constexpr std::uint64_t shortest_node_ns = 1000, list_ns = 100;

// The order is renewed after the runs 1, 2, 4, 8, and from then on after each sixteenth.
constexpr std::uint32_t learns_each = 16;
constexpr float newest_weighs = 0.25f;

std::uint64_t offset_of(const node_info& of) noexcept {
  constexpr std::uint64_t middle = std::uint64_t{1} << 62;
  switch (of.urgency) {
    case priority::high: return 2 * middle;
    case priority::background: return 0;
    default: return middle;
  }
}

struct by_rank {
  const std::uint64_t* ranks;
  bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return ranks[a] < ranks[b]; }
};

}  // namespace

void node_order::begin(const plan& of) {
  const std::size_t count = of.size;
  runs_ = 0;
  is_on_ = false;
  weights_.assign(count, 0);
  ranks_.assign(count, 0);
  has_priorities_ = false;
  for (std::size_t i = 0; i != count; ++i)
    has_priorities_ |= of.steps[i].node->info->urgency != priority::normal;
  base::lock_guard guard{lock_};
  ready_.clear();
  ready_.reserve(count);
  if (has_priorities_) rank(of);
}

void node_order::learn(plan& of, const node_result* results, unsigned workers) {
  const std::uint32_t run = ++runs_;
  const bool is_time = run < learns_each ? (run & (run - 1)) == 0 : run % learns_each == 0;
  if (!is_time || how_ == graph_order::arrival) return;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i != of.size; ++i) {
    if (results[i].outcome != node_outcome::ran) continue;
    const auto took = static_cast<float>(results[i].ticks);
    weights_[i] += (took - weights_[i]) * (run == 1 ? 1 : newest_weighs);
    all += results[i].ticks;
  }
  const std::uint64_t least_ns = std::max(shortest_node_ns, list_ns * workers);
  is_on_ = all * 1000 >= of.size * least_ns * base::ticks_per_us();
  if (!is_on_) return;
  rank(of);
  for (std::size_t i = 0; i != of.size; ++i) {
    const auto first = of.targets.begin() + of.steps[i].first_target;
    std::sort(first, first + of.steps[i].target_count, by_rank{ranks_.data()});
  }
  std::sort(of.roots.begin(), of.roots.end(), by_rank{ranks_.data()});
}

// From the last node to the first: a node's own time, and the longest way that follows.
void node_order::rank(const plan& of) {
  constexpr std::uint64_t length = (std::uint64_t{1} << 62) - 1;
  for (std::size_t i = of.size; i-- != 0;) {
    std::uint64_t follows = 0;
    for (std::uint32_t t = 0; t != of.steps[i].target_count; ++t)
      follows = std::max(follows, ranks_[of.targets[of.steps[i].first_target + t]] & length);
    const auto own = static_cast<std::uint64_t>(weights_[i]) + 1;
    ranks_[i] = offset_of(*of.steps[i].node->info) + std::min(follows + own, length);
  }
}

void node_order::push(std::uint32_t index) noexcept {
  base::lock_guard guard{lock_};
  ready_.push_back(index);  // within what `begin` has reserved
  std::push_heap(ready_.begin(), ready_.end(), by_rank{ranks_.data()});
}

std::uint32_t node_order::pop() noexcept {
  base::lock_guard guard{lock_};
  std::pop_heap(ready_.begin(), ready_.end(), by_rank{ranks_.data()});
  const std::uint32_t best = ready_.back();
  ready_.pop_back();
  return best;
}

std::uint32_t node_order::exchange(std::uint32_t index) noexcept {
  base::lock_guard guard{lock_};
  if (ready_.empty() || ranks_[ready_.front()] <= ranks_[index]) return index;
  std::pop_heap(ready_.begin(), ready_.end(), by_rank{ranks_.data()});
  std::swap(ready_.back(), index);
  std::push_heap(ready_.begin(), ready_.end(), by_rank{ranks_.data()});
  return index;
}

}  // namespace filch::graph
