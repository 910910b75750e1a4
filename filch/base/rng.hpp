#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::inline v0_2::base {

/// SplitMix64: turns any seed, 0 too, into well-mixed words. Source: Steele, Lea and Flood, OOPSLA
/// 2014.
class split_mix64 {
 public:
  constexpr explicit split_mix64(std::uint64_t seed) noexcept : state_{seed} {}
  constexpr std::uint64_t operator()() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// A draw below `bound` without division: the high word of a product. Bias below 2^-32 for the
/// bounds used here.
constexpr std::uint32_t below(std::uint64_t random, std::uint32_t bound) noexcept {
  return static_cast<std::uint32_t>(((random >> 32) * bound) >> 32);
}

}  // namespace filch::base
