// Input is prepared on one worker and then worked on by all; the sound twin prepares it on all as
// well.
#include <tests/planted_faults/planted.hpp>

namespace planted {

void too_little_parallelism(twin which) {
  constexpr int rounds = 10, parts = 16;
  const auto prepare = [](int) { compute(1ms); };
  for (int round = 0; round != rounds; ++round) {
    if (which == twin::sound) {
      filch::parallel_for(0, parts, prepare);
    } else {
      for (int part = 0; part != parts; ++part) prepare(part);
    }
    filch::parallel_for(0, parts, [](int) { compute(250us); });
  }
}

}  // namespace planted
