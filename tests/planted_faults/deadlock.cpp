// Two jobs take two locks in opposite order and wait for each other until the program is killed; in
// the sound twin they compute as long.
#include <tests/planted_faults/planted.hpp>

#include <barrier>
#include <mutex>

namespace planted {

void deadlock(twin which) {
  std::mutex left, right;
  std::barrier both{2};
  const auto take = [&](std::mutex& first, std::mutex& second) {
    const std::lock_guard one{first};
    both.arrive_and_wait();
    if (which == twin::sound) return compute(std::chrono::hours{1});
    const std::lock_guard other{second};
  };
  filch::thread_pool pool({.workers = 2});
  filch::task_group all(pool);
  all.run([&] { take(left, right); });
  all.run([&] { take(right, left); });
  all.wait();
}

}  // namespace planted
