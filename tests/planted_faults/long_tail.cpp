// One of many jobs is as long as fifty others, and is begun last; the sound twin begins with it.
#include <tests/planted_faults/planted.hpp>

#include <latch>

namespace planted {

void long_tail(twin which) {
  constexpr int jobs = 60;
  const int long_one = which == twin::faulty ? jobs - 1 : 0;
  filch::thread_pool& pool = filch::default_pool();
  std::latch unfinished{jobs};
  for (int i = 0; i != jobs; ++i) {
    pool.submit([&, i] {
      compute(i == long_one ? 150ms : 3ms);
      unfinished.count_down();
    });
  }
  unfinished.wait();
}

}  // namespace planted
