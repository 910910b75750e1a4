#pragma once
#include <oneapi/tbb/task_group.h>

namespace bench {

/// Runs two halves on oneTBB as its guide advises: one as a task, the other by a direct call.
struct tbb_forked {
  template <class First, class Second>
  void operator()(const First& first, const Second& second) const {
    oneapi::tbb::task_group group;
    group.run(second);
    first();
    group.wait();
  }
};

}  // namespace bench
