#pragma once
#include <filch/base/mutex.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace filch::inline v0_2::algo {

/// How many items of a pipeline are on their way, and which job may draw the next one: one at a
/// time, as long as there are tokens.
///
/// While there are items and tokens, one job draws, or is about to call `take`: a job that draws
/// starts a successor (`drawn`), unless one is already started, and a job that gives a token back
/// calls `take` again.
class token_count {
 public:
  explicit token_count(std::uint64_t limit) noexcept : limit_{limit} {}

  /// Returns the number of the item that the caller now draws. None if another job draws, or if
  /// there is no token or no item left.
  std::optional<std::uint64_t> take() noexcept {
    base::lock_guard guard{lock_};
    if (is_drawing_ || has_ended_ || used_ == limit_) return std::nullopt;
    is_drawing_ = true;
    ++used_;
    return made_++;
  }
  /// The caller has its item. Returns whether it must start a job that draws the next one.
  bool drawn() noexcept {
    base::lock_guard guard{lock_};
    is_drawing_ = false;
    if (is_followed_ || has_ended_ || used_ == limit_) return false;
    return is_followed_ = true;
  }
  /// The started job is there, and calls `take` next.
  void follow() noexcept {
    base::lock_guard guard{lock_};
    is_followed_ = false;
  }
  void give_back() noexcept {
    base::lock_guard guard{lock_};
    --used_;
  }
  /// There are no more items.
  void end() noexcept {
    base::lock_guard guard{lock_};
    has_ended_ = true;
  }

 private:
  base::mutex lock_;
  const std::uint64_t limit_;
  std::uint64_t used_ FILCH_GUARDED_BY(lock_) = 0;
  std::uint64_t made_ FILCH_GUARDED_BY(lock_) = 0;
  bool is_drawing_ FILCH_GUARDED_BY(lock_) = false;
  bool is_followed_ FILCH_GUARDED_BY(lock_) = false;
  bool has_ended_ FILCH_GUARDED_BY(lock_) = false;
};

/// An item on its way, and its place in the order of the source.
template <class T>
struct numbered {
  std::uint64_t number;
  T value;
};

/// The door of a serial stage: lets one item in at a time, and keeps the others.
///
/// No job waits at it. A job that finds it closed leaves its item and goes; a job that comes out
/// takes the next item that may go in. So while the door is open, it keeps no item that could go
/// in.
template <class T, bool InOrder>
class stage_door {
 public:
  /// Returns the item if it goes in now; the caller then brings it through. Throws:
  /// `std::bad_alloc`.
  std::optional<numbered<T>> enter(numbered<T> item) {
    base::lock_guard guard{lock_};
    if (!is_closed_ && (!InOrder || item.number == turn_)) return let_in(std::move(item));
    waiting_.push_back(std::make_unique<numbered<T>>(std::move(item)));
    std::push_heap(waiting_.begin(), waiting_.end(), later);
    return std::nullopt;
  }
  /// An item is through. Returns the item that goes in next, if any: the lowest.
  std::optional<numbered<T>> leave() {
    base::lock_guard guard{lock_};
    is_closed_ = false;
    if (waiting_.empty() || (InOrder && waiting_.front()->number != turn_)) return std::nullopt;
    std::pop_heap(waiting_.begin(), waiting_.end(), later);
    const waiting lowest = std::move(waiting_.back());
    waiting_.pop_back();
    return let_in(std::move(*lowest));
  }

 private:
  /// By pointer, so that a heap can be made of items that cannot be assigned.
  using waiting = std::unique_ptr<numbered<T>>;
  static bool later(const waiting& one, const waiting& other) noexcept {
    return one->number > other->number;
  }

  numbered<T> let_in(numbered<T> item) FILCH_REQUIRES(lock_) {
    is_closed_ = true;
    ++turn_;
    return item;
  }

  base::mutex lock_;
  bool is_closed_ FILCH_GUARDED_BY(lock_) = false;
  std::uint64_t turn_ FILCH_GUARDED_BY(lock_) = 0;
  std::vector<waiting> waiting_ FILCH_GUARDED_BY(lock_);  ///< A heap, the lowest number in front.
};

}  // namespace filch::algo
