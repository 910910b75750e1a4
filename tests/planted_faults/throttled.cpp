// Two workers when a quota grants one processor; in the sound twin nothing limits them.
#include <tests/planted_faults/control_group.hpp>
#include <tests/planted_faults/planted.hpp>

namespace planted {

void throttled(twin which) {
  // The recorder, which ends with the process, asks the group it is in then
  static control_group limited;
  if (which == twin::faulty) limited.grant(20'000);
  filch::thread_pool pool({.workers = 2});
  pool.run([] { filch::parallel_for(0, 100, [](int) { compute(3ms); }); });
}

}  // namespace planted
