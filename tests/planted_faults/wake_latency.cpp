// Sleepers are woken for a short job beside a long one while a handler of signals keeps each of
// them for some milliseconds; in the sound twin nobody sends signals.
#include <tests/planted_faults/planted.hpp>

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <vector>

namespace planted {
namespace {

void handle_slowly(int) {
  timespec left{.tv_sec = 0, .tv_nsec = 4'000'000};
  while (::nanosleep(&left, &left) != 0) {
  }
}

/// The threads of the pool that have run a job.
class known_threads {
 public:
  void add_this_one() {
    const std::lock_guard holding{mutex_};
    if (std::ranges::find(all_, ::pthread_self()) == all_.end()) all_.push_back(::pthread_self());
  }
  void disturb_others() {
    const std::lock_guard holding{mutex_};
    for (const ::pthread_t each : all_) {
      if (each != ::pthread_self()) ::pthread_kill(each, SIGUSR1);
    }
  }

 private:
  std::mutex mutex_;
  std::vector<::pthread_t> all_;
};

}  // namespace

void wake_latency(twin which) {
  struct sigaction slow {};
  slow.sa_handler = handle_slowly;
  if (::sigaction(SIGUSR1, &slow, nullptr) != 0)
    throw std::system_error(errno, std::generic_category(), "sigaction");
  filch::thread_pool pool({.workers = 2});
  known_threads sleepers;
  pool.run([&] {
    std::binary_semaphore is_done{0};
    for (int round = 0; round != 50; ++round) {
      if (which == twin::faulty) sleepers.disturb_others();
      pool.submit([&] {
        sleepers.add_this_one();
        compute(20us);
        is_done.release();
      });
      compute(6ms);
      filch::blocking([&] { is_done.acquire(); });
    }
  });
}

}  // namespace planted
