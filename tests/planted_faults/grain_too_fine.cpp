// One job for every five elements of a list, where an element takes 20 ns; the sound twin gives a job five thousand of them.
#include <tests/planted_faults/planted.hpp>

namespace planted {

void grain_too_fine(twin which) {
  constexpr int elements = 300'000;
  const int in_a_job = which == twin::faulty ? 5 : 5'000;
  filch::task_group all;
  for (int first = 0; first != elements; first += in_a_job) all.run([=] { compute(in_a_job * 20ns); });
  all.wait();
}

}  // namespace planted
