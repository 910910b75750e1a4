#pragma once
#include <filch/base/language.hpp>

#include <cstdint>

namespace filch::policy {

/// How many of an owner's private jobs become public when somebody asks: the older half, at least
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

}  // namespace filch::policy
