#include <filch/testing/scarce_memory_test.hpp>

#include <filch/base/simulation.hpp>

#include <new>

namespace filch::inline v0_2::testing {
namespace {

// Plain: only the thread that has the turn touches them.
constinit scarce_memory* rule_now = nullptr;
constinit std::int64_t alive = 0;

}  // namespace

scarce_memory::scarce_memory(std::uint64_t seed) noexcept
    : sim_{base::current_simulation()}, random_{seed} {
  constexpr std::uint32_t rates[] = {10, 30, 100, 300};
  if (base::below(random_(), 3) == 0) {
    granted_ = base::below(random_(), 400);  // most programs allocate some hundred times
  } else {
    one_in_ = rates[base::below(random_(), 4)];
  }
  rule_now = this;
}

void scarce_memory::end() noexcept {
  if (rule_now == this) rule_now = nullptr;
}

bool scarce_memory::refuses() noexcept {
  return one_in_ != 0 ? base::below(random_(), one_in_) == 0 : granted_-- == 0;
}

void scarce_memory::take() {
  const base::simulation* const sim = base::current_simulation();
  if (sim == nullptr) return;
  if (rule_now != nullptr && rule_now->sim_ == sim && !plenty::is_here() && rule_now->refuses()) {
    ++rule_now->refused_;
    throw std::bad_alloc();
  }
  ++alive;
}

void scarce_memory::give_back() noexcept {
  if (base::current_simulation() != nullptr) --alive;
}

std::int64_t scarce_memory::blocks_alive() noexcept { return alive; }

}  // namespace filch::testing
