#pragma once
#include <filch/algo/algo_test.hpp>

namespace filch::inline v0_2::algo {

class stop_on : public algo_on {};

inline constexpr auto is_even = [](int i) { return i % 2 == 0; };

}  // namespace filch::algo
