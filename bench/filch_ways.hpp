#pragma once
#include <filch/filch.hpp>

namespace bench {

/// Runs two halves on filch: each may be stolen.
struct forked {
  template <class First, class Second>
  void operator()(const First& first, const Second& second) const {
    filch::join(first, second);
  }
};

}  // namespace bench
