#pragma once
#include <filch/base/rng.hpp>

#include <cstdint>

namespace filch::policy {

/// No victim in particular.
inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

/// How far from home a thief begins to look.
enum class reach : unsigned char { cache, node, anywhere };

/// Half of the rounds begin with a worker that shares the thief's cache, a quarter with one that
/// shares its node, and a quarter anywhere.
constexpr reach reach_of(std::uint64_t random) noexcept {
  const std::uint64_t quarter = (random >> 3) & 3;
  return quarter < 2 ? reach::cache : quarter == 2 ? reach::node : reach::anywhere;
}

/// Where a thief begins its round over the workers: at the victim that last had something, else at
/// a neighbour, else anywhere. Uniformly random starts give the bound of Blumofe and Leiserson,
/// JACM 1999, section 4; the remembered victim only adds one probe to a round, and with neighbours
/// each worker keeps a quarter of its chance, so the bound four times as many rounds. `random` is a
/// fresh 64-bit draw, `worker_count` at least 1; `neighbour` is drawn as `reach_of` says, or
/// nobody.
constexpr std::uint32_t first_victim(std::uint64_t random, std::uint32_t worker_count,
                                     std::uint32_t last_successful,
                                     std::uint32_t neighbour = nobody) noexcept {
  return last_successful < worker_count ? last_successful
         : neighbour < worker_count     ? neighbour
                                        : base::below(random, worker_count);
}

/// The stride of a round: coprime to `worker_count`, so that a round visits every worker once, in
/// an order that varies.
constexpr std::uint32_t round_stride(std::uint64_t random, std::uint32_t worker_count) noexcept {
  constexpr std::uint32_t primes[] = {5, 7, 11, 13, 17, 19, 23, 29};
  const std::uint32_t prime = primes[random & 7];
  return worker_count % prime == 0 ? 1 : prime;
}

static_assert(first_victim(0, 4, 2) == 2 && first_victim(0, 4, nobody) == 0);
static_assert(round_stride(0, 10) == 1 && round_stride(0, 8) == 5);

}  // namespace filch::policy
