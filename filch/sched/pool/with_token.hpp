#pragma once
#include <filch/base/stop_token.hpp>
#include <filch/sched/pool/with.hpp>

#include <utility>

namespace filch::inline v0_2::sched {

template <>
inline constexpr bool is_stop_token<std::stop_token> = true;
template <>
struct given_token<true> {
  std::stop_token token;

  void set(std::stop_token given) noexcept { token = std::move(given); }
};

}  // namespace filch::sched
