// Two workers on one processor; in the sound twin it has one.
#include <tests/planted_faults/planted.hpp>

namespace planted {

void oversubscription(twin which) {
  stay_on_this_processor();
  filch::thread_pool pool({.workers = which == twin::faulty ? 2u : 1u});
  pool.run([] { filch::parallel_for(0, 100, [](int) { compute(3ms); }); });
}

}  // namespace planted
