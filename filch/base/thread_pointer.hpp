#pragma once
#include <filch/base/language.hpp>

#include <pthread.h>

namespace filch::inline v0_2::base {

/// A pointer for each thread, null at first. A thread that ends with another value passes it to
/// `end` after its thread-local variables are destroyed. The end of the process does not.
///
/// Cost: about 3 ns; a thread-local variable takes less than one.
class thread_pointer {
 public:
  explicit thread_pointer(void (*end)(void*)) noexcept
      : is_made_{::pthread_key_create(&key_, end) == 0} {}

  void* get() const noexcept { return is_made_ ? ::pthread_getspecific(key_) : nullptr; }
  /// Returns false if there is no memory for it. Null always succeeds.
  [[nodiscard]] bool set(void* value) const noexcept {
    return is_made_ ? ::pthread_setspecific(key_, value) == 0 : value == nullptr;
  }

 private:
  pthread_key_t key_{};
  bool is_made_;
};

}  // namespace filch::base
