// One job for every five elements of a list, where an element takes 20 ns; the sound twin gives a
// job five thousand of them. The faulty one has rings that hold the steals of all its jobs, so that
// nothing is lost.
#include <tests/planted_faults/planted.hpp>

#include <cstdlib>

namespace planted {

void grain_too_fine(twin which) {
  if (which == twin::faulty) ::setenv("FILCH_TRACE_RING", "262144", 1);
  constexpr int elements = 300'000;
  const int in_a_job = which == twin::faulty ? 5 : 5'000;
  filch::default_pool().run([&] {
    filch::task_group all;
    for (int first = 0; first != elements; first += in_a_job)
      all.run([=] { compute(in_a_job * 20ns); });
    all.wait();
  });
}

}  // namespace planted
