#pragma once
#include <filch/base/mutex.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace filch::algo {

/// How many items of a pipeline are on their way, and who may draw the next one: one at a time, as long as there are tokens.
///
/// While items are to be had and tokens too, somebody is drawing, or about to ask: who draws lets another follow (`drawn`), unless one
/// is on his way already, and who gives a token back asks again.
class token_count {
 public:
  explicit token_count(std::uint64_t limit) noexcept : limit_{limit} {}

  std::uint64_t limit() const noexcept { return limit_; }
  /// The number of the item that the caller now draws; none where somebody else does, or no token is left, or no item.
  std::optional<std::uint64_t> take() noexcept {
    base::lock_guard guard{lock_};
    if (is_drawing_ || has_ended_ || used_ == limit_) return std::nullopt;
    is_drawing_ = true;
    ++used_;
    return made_++;
  }
  /// The caller has its item. Whether to send somebody else to draw the next one.
  bool drawn() noexcept {
    base::lock_guard guard{lock_};
    is_drawing_ = false;
    if (is_followed_ || has_ended_ || used_ == limit_) return false;
    return is_followed_ = true;
  }
  /// Who was sent is there, and takes.
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

/// The door of a serial stage: lets one item in at a time, and keeps the others that have come.
///
/// Nobody waits at it. Who finds it closed leaves the item and goes; who comes out takes the next item that may go in.
template <class T, bool InOrder>
class stage_door {
 public:
  explicit stage_door(std::size_t limit) { waiting_.reserve(limit); }

  /// The item comes. Whichever may go in now, if any; the caller brings it through.
  std::optional<numbered<T>> enter(numbered<T> item) {
    base::lock_guard guard{lock_};
    waiting_.push_back(std::move(item));
    return next();
  }
  /// An item is through. The one that goes in next, if any.
  std::optional<numbered<T>> leave() {
    base::lock_guard guard{lock_};
    is_closed_ = false;
    return next();
  }

 private:
  std::optional<numbered<T>> next() FILCH_REQUIRES(lock_) {
    if (is_closed_ || waiting_.empty()) return std::nullopt;
    const auto lowest = std::min_element(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    if (InOrder && lowest->number != turn_) return std::nullopt;
    is_closed_ = true;
    ++turn_;
    std::swap(*lowest, waiting_.back());
    std::optional<numbered<T>> chosen{std::move(waiting_.back())};
    waiting_.pop_back();
    return chosen;
  }

  base::mutex lock_;
  bool is_closed_ FILCH_GUARDED_BY(lock_) = false;
  std::uint64_t turn_ FILCH_GUARDED_BY(lock_) = 0;
  std::vector<numbered<T>> waiting_ FILCH_GUARDED_BY(lock_);  ///< Never more than tokens, so it does not grow.
};

}  // namespace filch::algo
