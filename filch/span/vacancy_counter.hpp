#pragma once
#include <filch/span/interval.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace filch::inline v0_2::span {

/// Counts the free slots by cause, and adds a `vacancy` whenever that changes.
class vacancy_counter {
 public:
  explicit vacancy_counter(std::uint32_t count) : free_{count} {}

  void take() noexcept { --free_; }
  void give_back() noexcept { ++free_; }
  void lose() noexcept { ++lost_workers_; }
  void find() noexcept { --lost_workers_; }
  void wake() noexcept { ++waking_; }
  void wake_ended() noexcept { --waking_; }
  void look(bool sees_work) noexcept { sees_work_ = sees_work; }

  void advance(std::int64_t now_ns) {
    if (now_ns == since_ns_) return;
    vacancy now = count();
    now.when = {std::exchange(since_ns_, now_ns), now_ns};
    if (!done_.empty() && is_same(done_.back(), now)) {
      done_.back().when.end_ns = now_ns;
    } else {
      done_.push_back(now);
    }
  }
  std::vector<vacancy> finish(std::int64_t end_ns) && {
    advance(end_ns);
    return std::move(done_);
  }

 private:
  // Gaps are shown, not guessed: workers whose records are lost may have held as many of the free
  // slots as there are such workers.
  vacancy count() const noexcept {
    vacancy now;
    now.unknown = (std::min)(free_, lost_workers_);
    const std::uint32_t known = free_ - now.unknown;
    now.woken_for = (std::min)(known, waking_);
    (sees_work_ ? now.neglected : now.starved) = known - now.woken_for;
    return now;
  }
  static bool is_same(vacancy a, const vacancy& b) noexcept {
    return a.woken_for == b.woken_for && a.neglected == b.neglected && a.starved == b.starved &&
           a.unknown == b.unknown;
  }

  std::uint32_t free_;
  std::uint32_t lost_workers_ = 0;
  std::uint32_t waking_ = 0;
  bool sees_work_ = false;
  std::int64_t since_ns_ = 0;
  std::vector<vacancy> done_;
};

}  // namespace filch::span
