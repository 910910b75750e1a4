#pragma once
#include <bench/uts/problem.hpp>

#include <numeric>
#include <span>
#include <vector>

namespace bench::uts {

/// What the children of one node have counted, for peers whose tasks write their results somewhere.
/// In place for as many as nearly every node has, so that it costs them no memory from the heap, as
/// it costs filch none.
class child_tallies {
 public:
  explicit child_tallies(int count) : count_{static_cast<std::size_t>(count)} {
    if (count_ > few_.size()) many_.resize(count_);
  }
  tally& operator[](int child) noexcept { return all()[static_cast<std::size_t>(child)]; }
  tally sum(tally start) noexcept { return std::accumulate(all().begin(), all().end(), start); }

 private:
  std::span<tally> all() noexcept {
    return many_.empty() ? std::span{few_}.first(count_) : std::span{many_};
  }

  std::size_t count_;
  std::array<tally, 16> few_{};
  std::vector<tally> many_;
};

}  // namespace bench::uts
