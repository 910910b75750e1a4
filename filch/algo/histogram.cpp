#include <filch/algo/histogram.hpp>

#include <stdexcept>
#include <string>

namespace filch::algo {

void throw_key_out_of_range(std::uint64_t key, std::uint64_t bound) {
  throw std::out_of_range("filch::histogram: the key " + std::to_string(key) + " is not below " +
                          std::to_string(bound));
}

}  // namespace filch::algo
