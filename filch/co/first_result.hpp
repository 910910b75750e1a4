#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch::inline v0_2 {

/// Which of several tasks ended first, and its result.
template <class Value>
struct first_result {
  std::size_t index;  ///< Of that task among those that were given, from 0 on.
  Value value;
};

}  // namespace filch
