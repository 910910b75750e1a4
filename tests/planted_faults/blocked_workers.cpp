// Jobs that wait for the kernel for most of their time keep their slots; in the sound twin they
// wait in `filch::blocking`.
#include <tests/planted_faults/planted.hpp>

#include <time.h>

namespace planted {
namespace {

void wait_for_a_disk() {
  timespec left{.tv_sec = 0, .tv_nsec = 2'000'000};
  while (::nanosleep(&left, &left) != 0) {
  }
}

}  // namespace

void blocked_workers(twin which) {
  filch::task_group all;
  for (int i = 0; i != 1000; ++i) {
    all.run([=] {
      compute(500us);
      which == twin::sound ? filch::blocking(wait_for_a_disk) : wait_for_a_disk();
    });
  }
  all.wait();
}

}  // namespace planted
