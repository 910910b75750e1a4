#pragma once
#include <filch/co/sync/choice.hpp>
#include <filch/co/sync/waiting.hpp>

#include <cstddef>

namespace filch::co::sync {

/// A number below `n`, each as likely as any other. In a simulation: of its seed.
std::size_t draw_below(std::size_t n) noexcept;

/// The waiters of a select, and one that stands for all of them: it is woken for any, and is itself
/// in no list.
class selection {
 public:
  /// There are `count` cases, and `locks` is room for as many.
  selection(wait_node& whole, wait_node* const* cases, base::mutex** locks,
            std::size_t count) noexcept;

  /// All their locks, each once, in the order of their addresses: nobody else ever waits for one of
  /// them and holds another.
  void lock() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  void unlock() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  /// The first of these, under which the whole may be interrupted.
  base::mutex& first_lock() const noexcept { return **locks_; }

  /// Before each wait, while nobody knows of it.
  void begin() noexcept { choice_.reset(); }
  /// Under all locks, before all are listed.
  void join_cases() noexcept;
  /// After the wait, or instead of its end: takes those that are still listed out of their lists.
  /// From then on they are waiters of their own.
  void part_cases() noexcept;
  /// Where a wait has ended: by which case. None, if it was interrupted.
  const wait_link* ended_by() const noexcept { return choice_.first(); }

 private:
  wait_node& whole_;
  // From one pointer up to the other: `std::span` would cost who includes this its header.
  wait_node* const* cases_;
  wait_node* const* cases_end_;
  base::mutex** locks_;
  base::mutex** locks_end_;
  basic_choice<base::real_sync> choice_;
};

}  // namespace filch::co::sync
