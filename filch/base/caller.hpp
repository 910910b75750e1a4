#pragma once
#include <filch/base/language.hpp>

namespace filch::base {

/// Where the function goes on that called the one in which this stands.
[[gnu::always_inline]] inline const void* caller() noexcept { return __builtin_return_address(0); }

}  // namespace filch::base
