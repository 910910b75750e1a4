#include <filch/base/mutex.hpp>

namespace filch::base {

template class basic_mutex<real_futex>;

}  // namespace filch::base
