#pragma once
#include <filch/co/sync/choice.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>

namespace filch::inline v0_2::co::sync {

/// A random number below `n`. In a simulation it depends on the seed only.
FILCH_EXPORT std::size_t draw_below(std::size_t n) noexcept;

/// The waiters of a select, and the *whole*, which stands for all of them: it is woken for any, and
/// is itself in no list. All lie in the awaiting expression: once it has released its lock, a
/// server touches them only to wake.
class selection {
 public:
  /// There are `count` cases, and `locks` is room for as many.
  FILCH_EXPORT selection(wait_node& whole, wait_node* const* cases, base::mutex** locks,
                         std::size_t count) noexcept;

  /// All their locks, each once, in the order of their addresses. No other code waits for one of
  /// them while it holds another, so there is no deadlock.
  FILCH_EXPORT void lock() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  FILCH_EXPORT void unlock() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  /// The first of these. The whole is interrupted under it.
  base::mutex& first_lock() const noexcept { return **locks_; }

  /// Before each wait, while no other thread knows of it.
  void begin() noexcept { choice_.reset(); }
  /// Under all locks, before all are listed.
  FILCH_EXPORT void join_cases() noexcept;
  /// After the wait, or if the select is destroyed in its middle: takes the cases that are still
  /// listed out of their lists. From then on they are waiters of their own.
  FILCH_EXPORT void part_cases() noexcept;
  /// The case that ended the wait; the whole, if it was interrupted.
  const wait_link* ended_by() const noexcept { return choice_.first(); }

 private:
  wait_node& whole_;
  // Two pointers, as `std::span` would cost every includer its header.
  wait_node* const* cases_;
  wait_node* const* cases_end_;
  base::mutex** locks_;
  base::mutex** locks_end_;
  basic_choice<base::real_sync> choice_;
};

}  // namespace filch::co::sync
