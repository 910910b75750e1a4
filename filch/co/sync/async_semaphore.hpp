#pragma once
#include <filch/base/panic.hpp>
#include <filch/co/sync/acquiring.hpp>

#include <cstddef>
#include <utility>

namespace filch::inline v0_2 {

/// A number of permits that are taken and put back. `async_permit held = co_await s.acquire();`, or
/// `filch::wait(s.acquire())`.
///
/// `acquire(n)` takes n of them at once, all or none; the result puts them back when it is
/// destroyed. In order of arrival: a waiter that wants many is served before a later one that wants
/// few. `put_back` adds detached permits or new ones, from any task. Cost, blocks, throws: as
/// `async_mutex`.
/// Threads: any.
/// Lifetime: outlives its last permit and `put_back`. The `put_back` that lets the owner destroy it
/// is the last access.
class async_semaphore {
 public:
  explicit async_semaphore(std::size_t permits) noexcept : permits_{permits} { check(permits); }
  async_semaphore(const async_semaphore&) = delete;
  async_semaphore& operator=(const async_semaphore&) = delete;

  /// Holds permits until it is destroyed or `release` is called. Move-only; empty if an attempt
  /// failed.
  class [[nodiscard]] permit {
   public:
    permit() noexcept = default;
    permit(permit&& other) noexcept
        : of_{std::exchange(other.of_, nullptr)}, count_{other.count_} {}
    permit& operator=(permit&& other) noexcept {
      if (this != &other) {
        release();
        of_ = std::exchange(other.of_, nullptr);
        count_ = other.count_;
      }
      return *this;
    }
    ~permit() { release(); }

    explicit operator bool() const noexcept { return of_ != nullptr; }
    /// Puts them back now. Does nothing if it is empty.
    void release() noexcept {
      if (async_semaphore* const of = std::exchange(of_, nullptr)) of->put_back(count_);
    }
    /// The permits stay taken, until `put_back` adds as many.
    void detach() noexcept { of_ = nullptr; }

   private:
    permit(async_semaphore& of, std::size_t permits) noexcept : of_{&of}, count_{permits} {}
    async_semaphore* of_ = nullptr;
    std::size_t count_ = 0;
    friend async_semaphore;
  };

  class [[nodiscard]] taking : public co::sync::acquiring<taking> {
   public:
    taking(async_semaphore& of, std::size_t permits) noexcept
        : acquiring{of.permits_, permits}, of_{of} {}
    base::awaited awaited() const noexcept { return {"a permit of async_semaphore", &of_}; }
    permit result() noexcept { return permit{of_, this->wanted}; }

   private:
    async_semaphore& of_;
  };
  /// There are never more permits, neither at first nor by `put_back`.
  static constexpr std::size_t(max)() noexcept { return (co::sync::permits::max)(); }
  taking acquire(std::size_t permits = 1) noexcept {
    check(permits);
    return {*this, permits};
  }
  /// Empty if there are not so many.
  permit try_acquire(std::size_t permits = 1) noexcept {
    check(permits);
    return permits_.try_acquire(permits) ? permit{*this, permits} : permit{};
  }
  /// Adds so many permits.
  void put_back(std::size_t permits = 1) noexcept {
    check(permits);
    taking::put_back(permits_, permits);
  }

 private:
  static void check(std::size_t permits) noexcept {
    FILCH_ASSERT(permits <= (max)(), "so many permits cannot be counted", permits);
  }

  co::sync::permits permits_;
};

/// Holds permits of an `async_semaphore`.
using async_permit = async_semaphore::permit;

}  // namespace filch
