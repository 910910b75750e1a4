#pragma once
// std::stop_token: a request to stop that a caller passes to the threads that work for it. It comes
// through this header because it is made of atomics.
#include <filch/base/simulation.hpp>

#include <stop_token>  // IWYU pragma: export
#include <utility>

namespace filch::inline v0_2::base {

#if defined(FILCH_TESTING)
/// A `std::stop_callback` for calls that contain scheduling points. Its destructor waits for a call
/// that another thread has begun. The standard's waits in the kernel, from which a simulation,
/// which runs one thread at a time, would never return.
template <class F>
class stop_callback {
 public:
  stop_callback(std::stop_token token, F call)
      : call_{std::move(call)}, registered_{std::move(token), runner{*this}} {}
  stop_callback(const stop_callback&) = delete;
  stop_callback& operator=(const stop_callback&) = delete;
  ~stop_callback() {
    if (simulation* const sim = current_simulation()) {
      while (has_begun_ && !has_ended_) sim->pause();
    }
  }

 private:
  struct runner {
    stop_callback& mine;
    void operator()() const noexcept {
      mine.has_begun_ = true;
      mine.call_();
      mine.has_ended_ = true;
    }
  };
  F call_;
  /// No scheduling point lies between these two and the standard's own flags.
  bool has_begun_ = false;
  bool has_ended_ = false;
  std::stop_callback<runner> registered_;
};
#else
template <class F>
using stop_callback = std::stop_callback<F>;
#endif

}  // namespace filch::base
