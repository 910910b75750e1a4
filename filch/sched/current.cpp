#include <filch/sched/current.hpp>

namespace filch::sched {

constinit queue::fork_stack outside_stack;
constinit thread_local queue::fork_stack* current_stack = &outside_stack;

}  // namespace filch::sched
