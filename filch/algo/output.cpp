#include <filch/algo/output.hpp>

#include <stdexcept>

namespace filch::inline v0_2::algo {

void throw_output_too_short() {
  throw std::length_error("filch: the output range has no room for all that comes out");
}

}  // namespace filch::algo
