#include <filch/sched/current.hpp>
#include <filch/sched/strands.hpp>

namespace filch::inline v0_2::sched {

constinit queue::fork_stack outside_stack;
constinit thread_local queue::fork_stack* current_stack = &outside_stack;
constinit thread_local strand_observer* current_observer = nullptr;

}  // namespace filch::sched
