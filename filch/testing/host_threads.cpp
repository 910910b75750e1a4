#include <filch/testing/host_threads.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/topo/affinity.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

namespace filch::inline v0_2::testing {
namespace {

int cpu_here() noexcept {
#if defined(__linux__)
  return ::sched_getcpu();
#else
  return -1;
#endif
}

void stay_on(int cpu) noexcept {
  FILCH_TRY {
    if (cpu >= 0) topo::pin_current_thread(static_cast<unsigned>(cpu));
  }
  FILCH_CATCH_ALL {}  // slower, not wrong
}

}  // namespace

host_threads::~host_threads() {
  for (const auto& each : threads_) {
    each->run = nullptr;
    each->wake_token.unpark();
    each->os.join();
  }
}

host_thread& host_threads::take(void (*run)(void*), void* argument) {
  if (idle_.empty()) {
    if (threads_.empty()) cpu_ = cpu_here();
    idle_.reserve(threads_.size() + 1);
    host_thread& made = *threads_.emplace_back(std::make_unique<host_thread>());
    made.os = base::start_thread(static_cast<unsigned>(threads_.size() - 1), [&made, cpu = cpu_] {
      stay_on(cpu);
      serve(made);
    });
    idle_.push_back(&made);
  }
  host_thread& taken = *idle_.back();
  idle_.pop_back();
  taken.run = run;
  taken.argument = argument;
  return taken;
}

void host_threads::serve(host_thread& me) noexcept {
  for (;;) {
    me.wake_token.park();
    if (me.run == nullptr) return;
    me.run(
        me.argument);  // `me` may have its next argument already, but only a token makes us read it
  }
}

}  // namespace filch::testing
