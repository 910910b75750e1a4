#pragma once
// How every contender with OpenMP tasks gets its threads: a team of which one thread runs the
// function and the others take tasks.
#include <type_traits>

namespace bench {

class omp_threads {
 public:
  explicit omp_threads(unsigned workers) : count_(static_cast<int>(workers)) {
    const int count = count_;
#pragma omp parallel num_threads(count)
    {}  // the team's threads are kept for the next
  }

  /// Runs `f` and whatever tasks it makes in a team of that many threads.
  template <class F>
  auto run(F&& f) {
    const int count = count_;
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
#pragma omp parallel num_threads(count)
#pragma omp single
      f();
    } else {
      std::invoke_result_t<F&> result{};
#pragma omp parallel num_threads(count)
#pragma omp single
      result = f();
      return result;
    }
  }

 private:
  int count_;
};

/// Runs two halves on OpenMP: one as a task, the other by a direct call.
struct omp_forked {
  template <class First, class Second>
  void operator()(const First& first, const Second& second) const {
#pragma omp task shared(second)
    second();
    first();
#pragma omp taskwait
  }
};

}  // namespace bench
