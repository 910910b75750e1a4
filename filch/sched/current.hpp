#pragma once
#include <filch/queue/fork_stack.hpp>

#if defined(__GNUC__) && !defined(__APPLE__)
#define FILCH_TLS_INITIAL_EXEC [[gnu::tls_model("initial-exec")]]
#else
#define FILCH_TLS_INITIAL_EXEC
#endif

namespace filch::sched {

/// The fork stack of a thread outside every pool: no room, so that every fork takes the slow path.
extern constinit queue::fork_stack outside_stack;

/// The fork stack that this thread forks on: its worker's, or `outside_stack`. Never null.
FILCH_TLS_INITIAL_EXEC extern constinit thread_local queue::fork_stack* current_stack;

inline bool is_outside() noexcept { return current_stack == &outside_stack; }

}  // namespace filch::sched
