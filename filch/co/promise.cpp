#include <filch/co/promise.hpp>

#include <filch/sched/core.hpp>

namespace filch::co {

promise_base::promise_base() noexcept {
  finish = [](detached_job* self, fate) { run_here(static_cast<promise_base*>(self)->resumes); };
}

void promise_base::make_ready() noexcept { sched::current_worker().core.submit_always(this); }

}  // namespace filch::co
