#include <filch/sched/worker/unfinished_jobs.hpp>

#include <filch/base/clock.hpp>
#include <filch/base/membarrier.hpp>
#include <filch/base/thread.hpp>

namespace filch::inline v0_2::sched {

unfinished_jobs::unfinished_jobs(const thread_table& threads, const injectors& injected) noexcept
    : threads_{threads}, injected_{injected}, closing_{!base::has_asymmetric_fence()} {}

void unfinished_jobs::look_whether_all_have_ended(const worker* here) noexcept {
  if (!leaves_jobs(here) && have_all_ended()) drained_.unpark();
}

// After its turn. The thread that ends a job seen here has its own turn later, and adds up: an
// earlier turn would have shown the job as taken. So a pool that ends with many jobs in its queues
// does not add up after each of them.
bool unfinished_jobs::leaves_jobs(const worker* here) const noexcept {
  return !injected_.look_empty() || (here != nullptr && here->waiter.granted->has_jobs());
}

bool unfinished_jobs::have_all_ended() const noexcept {
  return sched::have_all_ended([this](auto add) { for_each_count(add); });
}

std::uint64_t unfinished_jobs::count() const noexcept {
  return count_unfinished([this](auto add) { for_each_count(add); });
}

bool unfinished_jobs::await_until(std::uint64_t until_ns) noexcept {
  if (have_all_ended()) return true;
  const base::waiting_for why{"the last jobs of its pool"};
  closing_.await();
  while (!have_all_ended()) {
    if (until_ns == timer::never) {
      drained_.park();
    } else if (const std::uint64_t now = base::now_ns();
               now >= until_ns || !drained_.park_for(until_ns - now)) {
      return have_all_ended();
    }
  }
  return true;
}

void unfinished_jobs::await_uses() const noexcept {
  while (kept_alive_.load(base::acquire<edge::last_user>) != 0)
    base::nap_thread(std::chrono::microseconds(10));
}

void unfinished_jobs::discard_begins(worker& here) noexcept {
  base::lock_guard guard{discards_};
  ++discards_under_way_;
  here.reports.count(event::kind::job_discarded);
}

void unfinished_jobs::discard_ends() noexcept {
  base::lock_guard guard{discards_};
  --discards_under_way_;
}

auto unfinished_jobs::summarize() noexcept -> summary {
  constexpr int most_looks = 1000;
  for (int look = 1;; ++look) {
    {
      base::lock_guard guard{discards_};  // no thread begins to free a job
      if (discards_under_way_ == 0 || look == most_looks)
        return {.left = count(), .discarded = discarded_count() - discards_under_way_};
    }
    base::yield_thread();
  }
}

std::uint64_t unfinished_jobs::discarded_count() const noexcept {
  std::uint64_t count = 0;
  for (unsigned i = 0; i < threads_.worker_count(); ++i)
    count += threads_.at(i).reports.counters.count(event::kind::job_discarded);
  return count;
}

}  // namespace filch::sched
