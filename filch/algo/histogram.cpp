#include <filch/algo/histogram.hpp>

#include <stdexcept>
#include <string>

namespace filch::inline v0_2::algo {

void throw_key_out_of_range(std::uint64_t key, bool is_signed, std::uint64_t bound) {
  const bool is_negative = is_signed && static_cast<std::int64_t>(key) < 0;
  throw std::out_of_range("filch::histogram: the key " +
                          (is_negative
                               ? std::to_string(static_cast<std::int64_t>(key)) + " is negative"
                               : std::to_string(key) + " is not below " + std::to_string(bound)));
}

}  // namespace filch::algo
