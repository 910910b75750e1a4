#include <filch/algo/settings.hpp>

#include <stdexcept>

namespace filch {

const char* stopped::what() const noexcept { return "filch: the algorithm was asked to stop before it was done"; }

namespace algo {

void settings::set(grain_items given) {
  if (given.count == 0) throw std::invalid_argument("filch: grain_items{0}: a leaf has at least one element");
  grain = given.count;
}

void settings::throw_stopped() { throw stopped(); }

}  // namespace algo
}  // namespace filch
