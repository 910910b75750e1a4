#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/sync/acquiring.hpp>

#include <cstddef>

namespace filch {

/// A number of permits that are taken and put back, by whomever. `co_await s.acquire()`, or `filch::wait(s.acquire())`. In order of arrival.
///
/// Cost, blocks, throws: as `async_mutex`.
/// Threads: any.
/// Lifetime: outlives its last `release`, unless that one is what lets its owner destroy it: then nothing of it is touched any more.
class async_semaphore {
 public:
  explicit async_semaphore(std::size_t permits) noexcept : permits_{permits} {
    FILCH_ASSERT(permits <= max(), "so many permits cannot be counted", permits);
  }
  async_semaphore(const async_semaphore&) = delete;
  async_semaphore& operator=(const async_semaphore&) = delete;

  struct taking : co::sync::acquiring<taking> {
    using acquiring::acquiring;
    base::awaited awaited() const noexcept { return {"a permit of async_semaphore", &this->lock()}; }
    static void result() noexcept {}
  };
  /// More permits there never are, neither at first nor by `release`.
  static constexpr std::size_t max() noexcept { return co::sync::permits::max(); }
  taking acquire() noexcept { return taking{permits_}; }
  /// True when it took one.
  [[nodiscard]] bool try_acquire() noexcept { return permits_.try_acquire(); }
  /// Puts so many permits back.
  void release(std::size_t permits = 1) noexcept {
    FILCH_ASSERT(permits <= max(), "so many permits cannot be counted", permits);
    taking::put_back(permits_, permits);
  }

 private:
  co::sync::permits permits_;
};

}  // namespace filch
