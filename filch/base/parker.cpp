#include <filch/base/parker.hpp>

namespace filch::base {

template class basic_parker<real_futex>;

}  // namespace filch::base
