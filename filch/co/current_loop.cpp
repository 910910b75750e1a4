#include <filch/co/current_loop.hpp>

namespace filch::inline v0_2::co {

// In a file of its own: if g++ sees the definition, it keeps the address in a register, which the
// users of `innermost` then save and restore.
constinit thread_local run_loop innermost;

}  // namespace filch::co
