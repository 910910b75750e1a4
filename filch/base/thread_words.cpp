#include <filch/base/thread_words.hpp>

namespace filch::inline v0_2::base {

constinit thread_local int exceptions_below = 0;
constinit thread_local int known_thread_id = 0;

}  // namespace filch::base
