#include <filch/sched/worker/demand.hpp>

#include <filch/base/membarrier.hpp>
#include <filch/sched/worker/thread_table.hpp>
#include <filch/sched/worker/worker.hpp>

#include <algorithm>

namespace filch::inline v0_2::sched {

bool demand::detached_waits(const slot* but_in) const noexcept {
  if (!injected_.look_empty() || parking_.timer_lacks_driver()) return true;
  return std::ranges::any_of(parking_.all_slots(), [but_in](const slot& each) {
    return &each != but_in && each.has_jobs();
  });
}

bool demand::is_visible() const noexcept {
  if (detached_waits()) return true;
  for (unsigned i = 0; i < parking_.worker_bound(); ++i) {
    if (!threads_.at(i).peek().is_empty()) return true;
  }
  return false;
}

// In this order: a fork that becomes public between the two looks is seen. A fork that is taken
// back between them is in its owner's hands.
bool demand::forks_wait() const noexcept {
  for (unsigned i = 0; i < parking_.worker_bound(); ++i) {
    if (threads_.at(i).has_private() || !threads_.at(i).peek().is_empty()) return true;
  }
  return false;
}

void demand::request_from_all() noexcept {
  parking_.set_wanted(true);
  for (unsigned i = 0; i < parking_.worker_bound(); ++i) {
    threads_.at(i).request_work();
  }
}

void demand::offer_slot(sleeper* giver, std::uint32_t held, const slot* but_in) noexcept {
  if (detached_waits(but_in) || forks_wait() || parking_.source_lacks_poller()) {
    parking_.wake_one(giver);
    return;
  }
  request_from_all();
  // A worker that forked between the look and the request has not noticed the request, and may
  // never pause again. The fence makes its stores visible. If no other thread holds a slot there is
  // no such fork, and a thread that takes a slot now sees that work is wanted.
  if (parking_.idle().look_after_publish().free_slots + held >= parking_.allowed_count() &&
      !parking_.works_beside())
    return;
  if (base::has_asymmetric_fence()) base::heavy_fence();
  if (forks_wait()) parking_.wake_one(giver);
}

}  // namespace filch::sched
