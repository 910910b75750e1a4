#include <filch/sched/poll_scope.hpp>

namespace filch::inline v0_2::sched {

FILCH_TLS_INITIAL_EXEC constinit thread_local const left_slot* left_slot::innermost = nullptr;

left_slot::left_slot(pool_stack* of, bool polls) noexcept
    : left_{of}, outer_{innermost}, polls_{polls} {}

poll_scope::poll_scope(pool_stack& me) noexcept : left_slot{&me, true} {
  innermost = this;
  current_stack = &outside_stack;  // it has no slot
}

poll_scope::~poll_scope() {
  current_stack = left_;
  innermost = outer_;
}

}  // namespace filch::sched
