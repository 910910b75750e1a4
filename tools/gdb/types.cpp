// The types of the scheduler as debug information, for a library that was compiled without them.
// README.md says how to compile this file. It has no code, and nothing links it.
#include <filch/sched/pool/pool_state.hpp>
#include <filch/sched/worker/worker.hpp>

extern filch::sched::pool_state* filch_gdb_types;
filch::sched::pool_state* filch_gdb_types;
