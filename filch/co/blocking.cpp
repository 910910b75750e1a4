#include <filch/co/blocking.hpp>

#include <filch/sched/worker/scheduler.hpp>

#include <algorithm>
#include <memory>

namespace filch::inline v0_2::co {
namespace {

struct turns_of_a_pool final : sched::scheduler::attachment {
  explicit turns_of_a_pool(std::size_t count) noexcept : turns{count} {}
  async_semaphore turns;
};

std::unique_ptr<sched::scheduler::attachment> make_turns(const sched::scheduler& pool) {
  return std::make_unique<turns_of_a_pool>(std::max(pool.options.max_spares, 1u));
}

}  // namespace

async_semaphore& detail::blocking_turns_here() {
  return static_cast<turns_of_a_pool&>(
             sched::lasting_pool_here().core().attachment_made_by(&make_turns))
      .turns;
}

}  // namespace filch::co
