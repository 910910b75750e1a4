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
  if (runner_.joinable()) {
    first_ = nullptr;
    begun_.unpark();
    runner_.join();
  }
  for (const auto& each : threads_) {
    each->run = nullptr;
    switches_ ? each->lent.take_back() : each->wake_token.unpark();
    each->os.join();
  }
}

host_thread& host_threads::take(void (*run)(void*), void* argument) {
  if (idle_.empty()) {
    if (threads_.empty()) cpu_ = cpu_here();
    idle_.reserve(threads_.size() + 1);
    start(*threads_.emplace_back(std::make_unique<host_thread>()));
    idle_.push_back(threads_.back().get());
  }
  host_thread& taken = *idle_.back();
  idle_.pop_back();
  taken.run = run;
  taken.argument = argument;
  return taken;
}

void host_threads::start(host_thread& made) {
  const auto number = static_cast<unsigned>(threads_.size() - 1);
  if (!switches_) {
    made.os = base::start_thread(number, [&made, cpu = cpu_] {
      stay_on(cpu);
      serve(made);
    });
    return;
  }
  made.os = base::start_thread(number, [&made] { made.lent.lend(&run_lent, &made); }, "host",
                               {.stack_bytes = 0, .blocked = base::all_signals()});
  made.lent.await();
}

void host_threads::serve(host_thread& me) noexcept {
  for (;;) {
    me.wake_token.park();
    if (me.run == nullptr) return;
    me.run(
        me.argument);  // `me` may have its next argument already, but only a token makes us read it
  }
}

// A run ends with a switch away. The next turn comes out of that switch, with new arguments.
void host_threads::run_lent(void* self) noexcept {
  for (auto& me = *static_cast<host_thread*>(self);;) me.run(me.argument);
}

// -------------------------------------------------------------------------------------------------
// turns
void host_threads::begin(host_thread& first) {
  if (!switches_) return first.wake_token.unpark();
  if (!runner_.joinable()) {
    runner_ = base::start_thread(
        0, [this] { run_all(); }, "runner");
  }
  first_ = &first;
  begun_.unpark();
}

void host_threads::run_all() noexcept {
  for (;;) {
    begun_.park();
    if (first_ == nullptr) return;
    base::switch_threads(home_, first_->lent.context);
  }
}

void host_threads::hand_over(host_thread& from, host_thread& to, bool comes_back) noexcept {
  if (switches_) return base::switch_threads(from.lent.context, to.lent.context);
  to.wake_token.unpark();
  if (comes_back) from.wake_token.park();
}

void host_threads::end(host_thread& last, bool comes_back) noexcept {
  if (switches_) return base::switch_threads(last.lent.context, home_);
  if (comes_back) last.wake_token.park();
}

}  // namespace filch::testing
