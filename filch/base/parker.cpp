#include <filch/base/parker.hpp>

namespace filch::inline v0_2::base {

template class basic_parker<real_futex>;

}  // namespace filch::base
