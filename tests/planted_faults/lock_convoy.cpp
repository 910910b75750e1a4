// Jobs add up under one lock, which they hold for most of their time; the sound twin has a sum for
// each worker.
#include <tests/planted_faults/planted.hpp>

#include <mutex>

namespace planted {

void lock_convoy(twin which) {
  std::mutex one_at_a_time;
  filch::parallel_for(0, 200, [&](int) {
    compute(100us);
    std::unique_lock hold(one_at_a_time, std::defer_lock);
    if (which == twin::faulty) hold.lock();
    compute(1ms);
  });
}

}  // namespace planted
