// Runs one of the programs: planted_faults PROGRAM faulty|sound. Prints how many processors it had
// on average, and by how much they differed in speed. Ends in 77 if the system does not let it
// plant the fault, and says why.
#include <tests/planted_faults/planted.hpp>

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>

namespace {

struct program {
  std::string_view name;
  void (*run)(planted::twin);
};

constexpr program programs[] = {
    {"too_little_parallelism", planted::too_little_parallelism},
    {"grain_too_fine", planted::grain_too_fine},
    {"forks_too_small", planted::forks_too_small},
    {"grain_too_coarse", planted::grain_too_coarse},
    {"long_tail", planted::long_tail},
    {"blocked_workers", planted::blocked_workers},
    {"lock_convoy", planted::lock_convoy},
    {"lock_in_part", planted::lock_in_part},
    {"brief_lock", planted::brief_lock},
    {"deadlock", planted::deadlock},
    {"oversubscription", planted::oversubscription},
    {"throttled", planted::throttled},
    {"memory_bound", planted::memory_bound},
    {"wake_latency", planted::wake_latency},
    {"lost_records", planted::lost_records},
    {"page_faults", planted::page_faults},
};

/// If the system lets us, ordinary programs wait: what they take of the processors is a fault of
/// the machine, and none is planted there.
void run_before_others() {
  const sched_param first{.sched_priority = 1};
  static_cast<void>(::sched_setscheduler(0, SCHED_RR, &first));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view asked = argc == 3 ? argv[1] : "", which = argc == 3 ? argv[2] : "";
  const auto* const found = std::ranges::find(programs, asked, &program::name);
  if (found == std::end(programs) || (which != "faulty" && which != "sound")) {
    std::fputs("usage: planted_faults PROGRAM faulty|sound\n", stderr);
    return 2;
  }
  if (std::getenv("PLANTED_AMONG_OTHERS") == nullptr) run_before_others();
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t used_before = std::clock();
  try {
    found->run(which == "faulty" ? planted::twin::faulty : planted::twin::sound);
  } catch (const std::system_error& refused) {
    std::puts(refused.what());
    return 77;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("%.3f %.3f\n",
              static_cast<double>(std::clock() - used_before) / CLOCKS_PER_SEC / wall.count(),
              planted::unevenness());
}
