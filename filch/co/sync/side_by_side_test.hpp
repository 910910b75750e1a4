#pragma once
#include <filch/co.hpp>
#include <filch/co/await_spawned_test.hpp>
#include <filch/testing/expect_test.hpp>

#include <utility>

namespace filch::inline v0_2::testing {

/// Runs a task, a job and an external thread side by side.
template <class Job, class Thread>
void side_by_side(thread_pool& pool, task<> of_task, Job job, Thread of_thread) {
  join_handle<> spawned_one = spawn(pool, std::move(of_task));
  thread outside{"outside", of_thread};
  pool.run(job);
  block_on(pool, co::await_spawned(std::move(spawned_one)));
}

}  // namespace filch::testing
