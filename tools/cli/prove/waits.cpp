// Joins that wait with a lock held, while a job that has nothing to do with them lies open. A wait
// that ran it could meet one that wants the same lock, and would wait for itself (rayon#592).
#include <filch/filch.hpp>
#include <filch/sched/worker/scheduler.hpp>
#include <fmt/format.h>
#include <tools/cli/prove/claim.hpp>
#include <tools/cli/report.hpp>

#include <mutex>
#include <thread>

namespace filch::cli::prove {

namespace {

thread_local bool holds_the_lock = false;

/// Says that something has come about; what else was written goes by way of joins.
class signal {
 public:
  void give() noexcept { given_.store(true, base::relaxed); }
  void await() const {
    while (!given_.load(base::relaxed)) std::this_thread::yield();
  }

 private:
  base::atomic<bool> given_{false};
};

/// One join that waits, and a job beside it. The join's thief and the owner of that job keep two of
/// three slots until the job has run. So the worker that gets the slot of the join runs it, or the
/// wait itself does.
class one_wait {
 public:
  explicit one_wait(thread_pool& of_three) : pool_{of_three} {}

  /// Whether the wait ran what lay beside it. From outside the pool.
  bool ran_the_job_beside(std::mutex& lock) {
    std::thread owner{[this] { fork_the_job_beside(); }};
    pool_.run([&] {
      const std::lock_guard held{lock};
      holds_the_lock = true;
      const auto left = [&] { lies_open_.await(); };
      const auto right = [&] {
        stolen_.give();
        has_run_.await();
      };
      join(left, right);
      holds_the_lock = false;
    });
    owner.join();
    return ran_with_the_lock_held_;
  }

 private:
  void fork_the_job_beside() {
    stolen_.await();
    pool_.core().wants().request_from_all();  // so that the next fork is public at once
    pool_.run([&] {
      const auto left = [&] {
        lies_open_.give();
        has_run_.await();
      };
      const auto right = [&] {
        ran_with_the_lock_held_ = holds_the_lock;
        has_run_.give();
      };
      join(left, right);
    });
  }

  thread_pool& pool_;
  signal stolen_, lies_open_, has_run_;
  bool ran_with_the_lock_held_ = false;
};

}  // namespace

proof waits_run_only_their_own() {
  constexpr std::uint64_t waits = 200;
  thread_pool pool{{.workers = 3}};
  std::mutex lock;
  std::uint64_t astray = 0;
  for (std::uint64_t i = 0; i != waits; ++i) astray += one_wait{pool}.ran_the_job_beside(lock);
  return {astray == 0,
          fmt::format("{} waited with a lock held while a job of somebody else's lay open: {} ran "
                      "it meanwhile, where it might have wanted "
                      "the lock.",
                      count_text(waits, "joins"), astray == 0 ? "none" : count_text(astray))};
}

}  // namespace filch::cli::prove
