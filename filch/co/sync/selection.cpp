#include <filch/co/sync/selection.hpp>

#include <filch/base/rng.hpp>
#include <filch/base/simulation.hpp>

#include <algorithm>
#include <functional>

namespace filch::co::sync {

std::size_t draw_below(std::size_t n) noexcept {
  static thread_local base::split_mix64 random{reinterpret_cast<std::uintptr_t>(&random)};
  if (const base::simulation* const stage = base::current_simulation()) return base::split_mix64{stage->seed}() % n;
  return random() % n;
}

selection::selection(wait_node& whole, std::span<wait_node* const> cases, std::span<base::mutex*> locks) noexcept
    : whole_{whole}, cases_{cases}, locks_{locks} {
  std::ranges::transform(cases, locks.begin(), [](const wait_node* each) { return &each->lock(); });
  std::ranges::sort(locks, std::less<>{});
  locks_ = locks.first(static_cast<std::size_t>(std::unique(locks.begin(), locks.end()) - locks.begin()));
  whole.among = &choice_;
}

void selection::lock() noexcept {
  for (base::mutex* each : locks_) each->lock();
}
void selection::unlock() noexcept {
  for (base::mutex* each : locks_) each->unlock();
}

void selection::join_cases() noexcept {
  for (wait_node* each : cases_) {
    FILCH_ASSERT(each->among == nullptr, "an operation stands in one select, and once", each);
    each->at = wait_link::stage::fresh;
    each->among = &choice_;
    each->is_part_of(&whole_);
  }
}

void selection::part_cases() noexcept {
  for (wait_node* each : cases_) {
    each->withdraw();
    each->among = nullptr;
    each->is_part_of(nullptr);
  }
}

}  // namespace filch::co::sync
