#pragma once
#include <filch/base/language.hpp>

#include <cstddef>

namespace filch {

/// Which of several was first, and what it brought.
template <class Value>
struct first_result {
  std::size_t index;
  Value value;
};

}  // namespace filch
