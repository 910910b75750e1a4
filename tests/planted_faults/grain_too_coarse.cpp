// The work comes in five pieces, for two workers; the sound twin cuts it into sixty. Five, as those
// that the wait runs are in no recording of this level: of three it may run two, and one job alone
// is no grain.
#include <tests/planted_faults/planted.hpp>

namespace planted {

void grain_too_coarse(twin which) {
  const int pieces = which == twin::faulty ? 5 : 60;
  filch::task_group all;
  for (int piece = 0; piece != pieces; ++piece) all.run([=] { compute(180ms / pieces); });
  all.wait();
}

}  // namespace planted
