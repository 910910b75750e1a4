// The work comes in three pieces, for two workers; the sound twin cuts it into sixty.
#include <tests/planted_faults/planted.hpp>

namespace planted {

void grain_too_coarse(twin which) {
  const int pieces = which == twin::faulty ? 3 : 60;
  filch::task_group all;
  for (int piece = 0; piece != pieces; ++piece) all.run([=] { compute(180ms / pieces); });
  all.wait();
}

}  // namespace planted
