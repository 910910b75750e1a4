#pragma once
#include <filch/base/exceptions.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace filch::inline v0_2::sched {

/// Fails to compile if a job takes arguments.
template <class... Fs>
constexpr bool check_jobs() {
  constexpr bool are_jobs = (std::is_invocable_v<Fs> && ...);
  static_assert(are_jobs, "filch: a job is called without arguments; let it capture what it needs");
  return are_jobs;
}

/// A callable in a job on the heap: run once, then destroyed. Both may throw.
template <class F>
class held_callable {
 public:
  template <class G>
  explicit held_callable(G&& g) : body_(std::forward<G>(g)) {}
  ~held_callable() {}
  held_callable(const held_callable&) = delete;
  held_callable& operator=(const held_callable&) = delete;

  /// Calls it, destroys it, and returns the first exception of the two. Once; instead of `destroy`.
  std::exception_ptr run() noexcept {
    std::exception_ptr error;
    FILCH_TRY { std::move(body_)(); }
    FILCH_CATCH_ALL { error = std::current_exception(); }
    std::exception_ptr late = destroy();
    return error ? std::move(error) : std::move(late);
  }
  /// Destroys it, and returns what its captures' destructors threw.
  std::exception_ptr destroy() noexcept {
    FILCH_TRY {
      body_.~F();
      return nullptr;
    }
    FILCH_CATCH_ALL { return std::current_exception(); }
  }

 private:
  union {
    F body_;
  };
};

}  // namespace filch::sched
