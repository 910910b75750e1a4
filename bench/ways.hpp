#pragma once
// Recursive algorithms here are written once, over a way to run two halves. This is the serial way.

namespace bench {

struct in_order {
  template <class First, class Second>
  void operator()(const First& first, const Second& second) const {
    first();
    second();
  }
};

}  // namespace bench
