#pragma once
#include <filch/filch.hpp>

namespace bench::leaves {

/// filch as `trial` wants it.
struct filch_pool {
  filch::thread_pool threads;

  template <class Left, class Right>
  void join(Left left, Right right) {
    threads.run([&] { filch::join(left, right); });
  }
  template <class F>
  void submit(F f) {
    threads.submit(f);
  }
};

}  // namespace bench::leaves
