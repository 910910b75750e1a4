#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2::base {

/// Returns the place at which the caller of the calling function goes on.
[[gnu::always_inline]] inline const void* caller() noexcept { return __builtin_return_address(0); }

}  // namespace filch::base
