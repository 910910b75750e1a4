// A sleeper is woken for a short job beside a long one, but who computes has the only processor to the end of his turn; in the sound twin
// there is another one.
#include <tests/planted_faults/planted.hpp>

#include <sched.h>

#include <semaphore>

namespace planted {
namespace {

/// As for programs that compute by night: nobody is interrupted for who wakes up.
void let_nobody_jump_the_queue() {
  const sched_param none{};
  static_cast<void>(::sched_setscheduler(0, SCHED_BATCH, &none));
}

}  // namespace

void wake_latency(twin which) {
  if (which == twin::faulty) {
    stay_on_this_processor();
    let_nobody_jump_the_queue();
  }
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
