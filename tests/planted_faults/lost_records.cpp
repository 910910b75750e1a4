// Ten thousand jobs, each of which is recorded, in rings of 256 records and nothing on disk; the
// sound twin leaves both at their usual size.
#include <tests/planted_faults/planted.hpp>

#include <cstdlib>

namespace planted {

void lost_records(twin which) {
  if (which == twin::faulty) {
    ::setenv("FILCH_TRACE_RING", "256", 1);
    ::setenv("FILCH_TRACE_MAX_SIZE", "0", 1);
  }
  filch::task_group all;
  for (int i = 0; i != 10'000; ++i) all.run([] { compute(20us); });
  all.wait();
}

}  // namespace planted
