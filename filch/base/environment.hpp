#pragma once
#include <filch/base/language.hpp>

#include <cstdlib>

namespace filch::inline v0_2::base {

/// The environment variable `name`, or null. Also null in a program that has more rights than its
/// caller, such as a set-user-ID one: it must not write files that the caller names.
inline const char* trusted_environment(const char* name) noexcept {
#if defined(__GLIBC__)
  return ::secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

}  // namespace filch::base
