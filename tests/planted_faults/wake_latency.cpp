// A sleeper is woken for a short job beside a long one, but the computing thread keeps the only
// processor to the end of its time slice; in the sound twin there is another processor.
#include <tests/planted_faults/planted.hpp>

#include <sched.h>

#include <cerrno>
#include <semaphore>
#include <system_error>

namespace planted {
namespace {

/// Requires `SCHED_RR`: there a thread that wakes up does not preempt one of the same priority. The
/// ordinary scheduler sometimes preempts.
void stay_where_nobody_jumps_the_queue() {
  if (::sched_getscheduler(0) != SCHED_RR)
    throw std::system_error(EPERM, std::generic_category(), "SCHED_RR");
  stay_on_this_processor();
}

}  // namespace

void wake_latency(twin which) {
  if (which == twin::faulty) stay_where_nobody_jumps_the_queue();
  filch::thread_pool pool({.workers = 2});
  pool.run([&] {
    std::binary_semaphore is_done{0};
    for (int round = 0; round != 50; ++round) {
      pool.submit([&] {
        compute(20us);
        is_done.release();
      });
      compute(6ms);
      filch::blocking([&] { is_done.acquire(); });
    }
  });
}

}  // namespace planted
