#pragma once
#include <filch/base/language.hpp>

namespace filch {

/// Where the workers of a pool are bound to run.
enum class pinning {
  none,     ///< Wherever the kernel puts them; it may move them at any time.
  compact,  ///< As close together as there are cores: for work that shares its data.
  /// As far apart as possible: for work that wants every cache and every memory controller.
  spread,
};

}  // namespace filch
