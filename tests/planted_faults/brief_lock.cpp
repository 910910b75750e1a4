// Jobs take one lock that spins, again and again for some tenths of a microsecond; in the sound
// twin each worker has its own.
#include <tests/planted_faults/planted.hpp>

#include <atomic>
#include <vector>

namespace planted {
namespace {

struct alignas(128) spin_lock {
  void lock() noexcept {
    while (held.test_and_set(std::memory_order_acquire)) {
      while (held.test(std::memory_order_relaxed)) asm volatile("pause");
    }
  }
  void unlock() noexcept { held.clear(std::memory_order_release); }

  std::atomic_flag held;
};

}  // namespace

void brief_lock(twin which) {
  std::vector<spin_lock> locks(filch::default_pool().worker_capacity());
  filch::parallel_for(0, 400, [&](int) {
    spin_lock& mine = locks[which == twin::faulty ? 0 : filch::worker_index()];
    for (int i = 0; i != 1000; ++i) {
      multiply(200ns);
      mine.lock();
      multiply(800ns);
      mine.unlock();
    }
  });
}

}  // namespace planted
