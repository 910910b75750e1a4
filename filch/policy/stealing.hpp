#pragma once
// Which victim a thief asks, how much becomes public, and whether a new job wakes a thief.
#include <filch/base/rng.hpp>

#include <cstdint>

namespace filch::inline v0_2::policy {

/// No victim in particular.
inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

/// How far from its own CPU a thief begins to look.
enum class reach : unsigned char { cache, node, anywhere };

/// Half of the rounds begin with a worker that shares the thief's cache, a quarter with one that
/// shares its node, and a quarter anywhere.
constexpr reach reach_of(std::uint64_t random) noexcept {
  const std::uint64_t quarter = (random >> 3) & 3;
  return quarter < 2 ? reach::cache : quarter == 2 ? reach::node : reach::anywhere;
}

/// The victim with which a thief begins its round over the workers: the one that last had work,
/// else a neighbour, else any. `random` is a fresh 64-bit draw, `worker_count` at least 1;
/// `neighbour` is drawn as `reach_of` says, or is `nobody`.
/// Source: Blumofe and Leiserson, JACM 1999, section 4, for uniformly random starts. We differ: the
/// remembered victim adds one probe to a round. With neighbours each worker keeps a quarter of its
/// chance, so the bound has four times as many rounds.
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

/// How many of an owner's private jobs become public when a thief asks: the older half, at least
/// one if there is one. The oldest job of a fork-join tree is the biggest piece, so half leaves
/// both sides with work of like size.
constexpr std::uint32_t exposed_count(std::uint32_t private_count) noexcept {
  return private_count - private_count / 2;
}

/// How many public jobs stay public when their owner comes back to take one: the older half. So an
/// owner whose thieves have left takes its jobs back at a locked instruction per halving, not per
/// job.
constexpr std::uint32_t kept_public(std::uint32_t public_count) noexcept {
  return public_count / 2;
}

static_assert(exposed_count(0) == 0 && exposed_count(1) == 1,
              "a request is answered if there is anything to answer with");
static_assert(kept_public(1) == 0, "taking back ends");

/// What a worker or an external thread sees when it has published a job.
struct idle_view {
  std::uint32_t searching;   ///< Workers that are looking for work right now.
  std::uint32_t free_slots;  ///< Slots that no thread holds.
};

/// Whether a published job wakes a worker: not if a searcher will find the job, and not if all
/// slots are taken.
constexpr bool wakes_somebody(idle_view idle) noexcept {
  return idle.searching == 0 && idle.free_slots > 0;
}

/// Whether one more worker may search: at most half of those that are busy, and always one.
constexpr bool may_search(std::uint32_t searching, std::uint32_t busy) noexcept {
  return searching == 0 || 2 * searching < busy;
}

static_assert(!wakes_somebody({.searching = 1, .free_slots = 3}));
static_assert(wakes_somebody({.searching = 0, .free_slots = 1}));
static_assert(may_search(0, 0) && may_search(1, 3) && !may_search(2, 4));

}  // namespace filch::policy
