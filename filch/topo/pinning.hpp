#pragma once
#include <filch/base/language.hpp>

namespace filch::inline v0_2 {

/// Which CPUs the workers of a pool are bound to.
enum class pinning {
  none,     ///< Unbound: the kernel may move them at any time.
  compact,  ///< As close together as possible: for work that shares its data.
  /// As far apart as possible: for work that needs every cache and every memory controller.
  spread,
};

}  // namespace filch
