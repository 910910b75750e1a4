// Jobs hold one lock for seven tenths of their time, so that more than one is awake on average; the
// sound twin has no lock.
#include <tests/planted_faults/planted.hpp>

#include <mutex>

namespace planted {

void lock_in_part(twin which) {
  std::mutex one_at_a_time;
  filch::parallel_for(0, 200, [&](int) {
    compute(450us);
    std::unique_lock hold(one_at_a_time, std::defer_lock);
    if (which == twin::faulty) hold.lock();
    compute(1050us);
  });
}

}  // namespace planted
