#pragma once
#include <filch/base/language.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace filch::inline v0_2::span {

/// A length, and the sites of which it consists. It keeps up to 16 parts apart, the largest ones,
/// without allocation.
class shared_length {
 public:
  static constexpr std::uint32_t others = ~0u;

  shared_length() noexcept = default;
  shared_length(const shared_length& from) noexcept { *this = from; }
  shared_length& operator=(const shared_length& from) noexcept {
    total_ = from.total_;
    count_ = from.count_;
    std::copy_n(from.site_.begin(), count_, site_.begin());
    std::copy_n(from.part_.begin(), count_, part_.begin());
    return *this;
  }

  double total() const noexcept { return total_; }
  /// Adds a strand of `site`.
  void add(std::uint32_t site, double ns) noexcept {
    total_ += ns;
    part_[index_of(site)] += ns;
  }
  /// Calls `f(site, ns)` for its parts, which add up to `total()`; site `others` has the rest.
  template <class F>
  void for_each(F&& f) const {
    for (std::uint32_t i = 0; i < count_; ++i) f(site_[i], part_[i]);
  }

 private:
  static constexpr std::uint32_t room = 16;

  std::uint32_t index_of(std::uint32_t site) noexcept {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (site_[i] == site) return i;
    }
    if (count_ == room) give_up_smallest();
    site_[count_] = site;
    part_[count_] = 0;
    return count_++;
  }
  /// Makes room at the end: the smallest part joins the first, which is `others` from then on.
  void give_up_smallest() noexcept {
    if (site_[0] != others) {
      const std::uint32_t first = smallest(0);
      std::swap(site_[0], site_[first]);
      std::swap(part_[0], part_[first]);
      site_[0] = others;
    }
    const std::uint32_t lost = smallest(1);
    part_[0] += part_[lost];
    --count_;
    site_[lost] = site_[count_];
    part_[lost] = part_[count_];
  }
  std::uint32_t smallest(std::uint32_t from) const noexcept {
    return static_cast<std::uint32_t>(
        std::min_element(part_.begin() + from, part_.begin() + count_) - part_.begin());
  }

  double total_ = 0;
  std::uint32_t count_ = 0;
  std::array<std::uint32_t, room> site_;
  std::array<double, room> part_;
};

/// The time at which a strand begins or ends with enough workers: the longest chain of strands from
/// the beginning of the run to there.
struct critical_path {
  shared_length span;   ///< If steals cost nothing.
  double burdened = 0;  ///< With the cost of each steal.

  void add(std::uint32_t site, double ns) noexcept {
    span.add(site, ns);
    burdened += ns;
  }
};

/// Makes `waiter` wait for a job that could begin at `start` and ends at `job`. If the job is
/// stolen, it runs beside the waiter and costs `burden_ns` more. If not, it runs after what the
/// waiter has done. The burdened length is that of the shorter choice.
inline void wait_for_job(critical_path& waiter, const critical_path& start,
                         const critical_path& job, double burden_ns) noexcept {
  const double stolen = (std::max)(waiter.burdened, job.burdened + burden_ns);
  const double not_stolen = waiter.burdened + (job.burdened - start.burdened);
  if (job.span.total() > waiter.span.total()) waiter.span = job.span;
  waiter.burdened = (std::min)(stolen, not_stolen);
}

}  // namespace filch::span
