#pragma once
// How every oneTBB contender limits its threads: the calling thread and `workers` - 1 others, awake
// before the clock starts.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>

namespace bench {

class tbb_threads {
 public:
  explicit tbb_threads(unsigned workers)
      : limit_(oneapi::tbb::global_control::max_allowed_parallelism,
               static_cast<std::size_t>(workers)),
        arena_(static_cast<int>(workers)) {
    arena_.execute([] { oneapi::tbb::parallel_for(0, 1000, [](int) {}); });
  }

  /// Runs `f` inside an arena of that many slots.
  template <class F>
  auto run(F&& f) {
    return arena_.execute(f);
  }

  /// Starts `f` on another thread of the arena and does not wait.
  template <class F>
  void submit(F&& f) {
    arena_.enqueue(f);
  }

 private:
  oneapi::tbb::global_control limit_;
  oneapi::tbb::task_arena arena_;
};

}  // namespace bench
