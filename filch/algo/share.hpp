#pragma once
#include <filch/base/language.hpp>

#include <filch/base/atomic.hpp>

namespace filch::inline v0_2 {

namespace algo {
class share_access;
}

/// A limit on threads that several calls have in common: all algorithms that get it run on at most
/// that many threads together.
///
///     filch::share two(2);
///     filch::sort(filch::with(two), data);
///
/// It has no threads of its own, and reserves none. A caller always begins at once. If all places
/// are taken, it works beside the threads that have them, until its call ends. A `pipeline` has at
/// most that many items on their way. A loop inside a loop counts its caller once more.
///
/// Cost: an atomic addition for each possible fork; work that finds no free place is not forked.
/// Threads: any.
/// Lifetime: outlives the calls that use it.
class FILCH_EXPORT share {
 public:
  /// Throws: `std::invalid_argument` for 0 threads.
  explicit share(unsigned threads);
  share(const share&) = delete;
  share& operator=(const share&) = delete;

 private:
  friend class algo::share_access;
  const unsigned threads_;
  /// How many more threads may begin. Relaxed: only the number is handed over.
  base::atomic<unsigned> left_;
};

namespace algo {

class share_access {
 public:
  static unsigned threads(const share& of) noexcept { return of.threads_; }
  static bool try_take(share& from) noexcept {
    unsigned left = from.left_.load(base::relaxed);
    while (left != 0 && !from.left_.compare_exchange(left, left - 1, base::relaxed)) {
    }
    return left != 0;
  }
  static void give_back(share& to) noexcept { to.left_.fetch_add(1, base::relaxed); }
};

/// Takes a place for the caller of an algorithm, if one is free.
class caller_place {
 public:
  explicit caller_place(share* of) noexcept
      : of_{of != nullptr && share_access::try_take(*of) ? of : nullptr} {}
  ~caller_place() {
    if (of_ != nullptr) share_access::give_back(*of_);
  }
  caller_place(const caller_place&) = delete;
  caller_place& operator=(const caller_place&) = delete;

 private:
  share* const of_;
};

/// The share of one call, in its options. A copy belongs to another call.
class own_share {
 public:
  own_share() noexcept = default;
  /// Throws: `std::invalid_argument` for 0 threads; `std::bad_alloc`.
  explicit own_share(unsigned threads) : mine_{new share(threads)} {}
  own_share(const own_share& other)
      : own_share{other.mine_ != nullptr ? own_share(share_access::threads(*other.mine_))
                                         : own_share()} {}
  own_share(own_share&& other) noexcept : mine_{other.mine_} { other.mine_ = nullptr; }
  own_share& operator=(own_share other) noexcept {
    share* const before = mine_;
    mine_ = other.mine_;
    other.mine_ = before;
    return *this;
  }
  ~own_share() { delete mine_; }

  share* get() const noexcept { return mine_; }

 private:
  share* mine_ = nullptr;
};

}  // namespace algo
}  // namespace filch
