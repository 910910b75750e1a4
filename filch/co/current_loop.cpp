#include <filch/co/current_loop.hpp>

namespace filch::co {

// In a file of its own: where it sees the definition, g++ keeps the address in a register, which
// its users then save and restore.
constinit thread_local run_loop innermost;

}  // namespace filch::co
