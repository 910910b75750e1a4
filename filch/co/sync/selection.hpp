#pragma once
#include <filch/co/sync/choice.hpp>
#include <filch/co/sync/waiting.hpp>

#include <array>
#include <cstddef>
#include <span>

namespace filch::co::sync {

/// A number below `n`, each as likely as any other. In a simulation: of its seed.
std::size_t draw_below(std::size_t n) noexcept;

/// The waiters of a select, and one that stands for all of them: it is woken for any, and is itself in no list.
class selection {
 public:
  /// `locks` is room for as many as there are `cases`.
  selection(wait_node& whole, std::span<wait_node* const> cases, std::span<base::mutex*> locks) noexcept;

  /// All their locks, each once, in the order of their addresses: nobody else ever holds two.
  void lock() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  void unlock() noexcept FILCH_THREAD_ANNOTATION(no_thread_safety_analysis);
  /// The first of these, under which the whole may be interrupted.
  base::mutex& first_lock() const noexcept { return *locks_.front(); }

  /// Before each wait, while nobody knows of it.
  void begin() noexcept { choice_.reset(); }
  /// Under all locks, before all are listed.
  void join_cases() noexcept;
  /// After the wait, or instead of its end: takes those that are still listed out of their lists. From then on they are waiters of their own.
  void part_cases() noexcept;
  /// Where a wait has ended: by which case. None, if it was interrupted.
  const wait_link* ended_by() const noexcept { return choice_.first(); }

 private:
  wait_node& whole_;
  std::span<wait_node* const> cases_;
  std::span<base::mutex*> locks_;
  basic_choice<base::real_sync> choice_;
};

}  // namespace filch::co::sync
