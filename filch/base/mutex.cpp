#include <filch/base/mutex.hpp>

namespace filch::inline v0_2::base {

template class basic_mutex<real_futex>;

}  // namespace filch::base
