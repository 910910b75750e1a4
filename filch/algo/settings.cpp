#include <filch/algo/settings.hpp>

#include <filch/algo/sub_range.hpp>

#include <stdexcept>
#include <string>

namespace filch::inline v0_2::algo {

void settings::set(grain_items most) {
  if (most.count == 0)
    throw std::invalid_argument("filch: grain_items{0}: a leaf has at least one element");
  grain = most.count;
}

void settings::throw_stopped() { throw stopped(); }

void throw_index_too_large() {
  throw std::invalid_argument(
      "filch: an end of a loop or index_range does not fit into its type; use a wider type");
}

void throw_negative_index(std::intmax_t first) {
  throw std::invalid_argument(
      "filch: a loop from " + std::to_string(first) +
      " to an end without sign: their common type does not hold what lies below 0; cast the "
      "end to a type with a sign");
}

}  // namespace filch::algo
