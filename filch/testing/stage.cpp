#include <filch/testing/stage.hpp>

#include <filch/base/exceptions.hpp>
#include <filch/topo/affinity.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

namespace filch::testing {
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

stage::~stage() {
  for (const auto& each : players_) {
    each->play = nullptr;
    each->cue.unpark();
    each->os.join();
  }
}

player& stage::engage(void (*play)(void*), void* part) {
  if (idle_.empty()) {
    if (players_.empty()) cpu_ = cpu_here();
    idle_.reserve(players_.size() + 1);
    player& made = *players_.emplace_back(std::make_unique<player>());
    made.os = base::start_thread(static_cast<unsigned>(players_.size() - 1), [&made, cpu = cpu_] {
      stay_on(cpu);
      serve(made);
    });
    idle_.push_back(&made);
  }
  player& engaged = *idle_.back();
  idle_.pop_back();
  engaged.play = play;
  engaged.part = part;
  return engaged;
}

void stage::serve(player& me) noexcept {
  for (;;) {
    me.cue.park();
    if (me.play == nullptr) return;
    me.play(me.part);  // `me` may have its next part already, but only a token makes us read it
  }
}

}  // namespace filch::testing
